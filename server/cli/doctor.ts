import { COMMANDS } from '#server/cli/commands/commands.ts'
import { examineInstallation } from '#server/features/installation/examine-installation.ts'
import { composed, factsOf, tellAll } from './examination.ts'
import { mustHaveOffice } from './open-office.ts'
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
  mustHaveOffice(config)
  const { system, close } = await composed(config)
  try {
    const known = await factsOf(config, system)
    return await tellAll(
      examineInstallation(system, known, values.all === true),
      values.json === true,
    )
  } finally {
    await close()
  }
}
