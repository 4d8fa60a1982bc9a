import { COMMANDS } from '#server/cli/commands/commands.ts'
import { type Composed, compose } from '#server/compose.ts'
import { type Config, ConfigurationError } from '#server/config.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import { examineBackups } from '#server/features/backups/examine-backups.ts'
import { examineInstallation } from '#server/features/installation/examine-installation.ts'
import { unusableInstallation } from '#server/unusable-installation.ts'
import { factsOf, tellAll } from './examination.ts'
import { mustBeOfThisRelease } from './must-be-of-this-release.ts'
import { openOffice } from './open-office.ts'
import { configOrUsageError, readArguments, UsageError } from './usage.ts'

/**
 * `rubrica doctor`: examines the installation and says what it found, a line for each thing.
 *
 * @returns 1 if something is lost or does not work
 * @throws {UsageError} also without a database, so that a wrong folder does not get one
 */
export async function doctor(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS.doctor.options)
  if (positionals.length > 0) throw new UsageError('doctor no espera nada más.')
  const config = configOrUsageError()
  return await tellAll(examine(config, values.all === true), values.json === true)
}

async function* examine(config: Config, isHashed: boolean): AsyncGenerator<Finding> {
  const opened = await openedOrReason(config)
  if (opened instanceof ConfigurationError) {
    const parameters = { reason: opened.message }
    return yield { code: 'does-not-start', level: 'fault', parameters }
  }
  const { system, close } = opened
  try {
    yield* examineInstallation(system, await factsOf(config, system), isHashed)
    yield* await examineBackups(system)
  } finally {
    await close()
  }
}

/** The installation, or why the server could not start on it. @throws {UsageError} instead of migrating it */
async function openedOrReason(config: Config): Promise<Composed | ConfigurationError> {
  try {
    const db = openOffice(config)
    await mustBeOfThisRelease(db).finally(() => db.close())
    return await compose(config, { isExamination: true })
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    const reason = unusableInstallation(error, config)
    if (!reason) throw error
    return reason
  }
}
