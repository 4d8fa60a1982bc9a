import { existsSync } from 'node:fs'
import { folderFacts } from '#server/adapters/folder-facts.ts'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { compose, databaseAddress } from '#server/compose.ts'
import { type Config, ConfigurationError } from '#server/config.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import { checkLog } from '#server/features/audit/check-log.ts'
import { examineInstallation } from '#server/features/installation/examine-installation.ts'
import { sentenceOfFinding } from '#server/words/findings.ts'
import { complain, say, sayJson } from './output.ts'
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
  if (!config.databaseUrl && !existsSync(databaseAddress(config)))
    throw new UsageError(`No hay ninguna notaría en ${config.dataFolder}: revise DATA_DIR.`)
  const { system, close } = await composed(config)
  try {
    const facts = folderFacts(config, openSealingKeys(config.secretsFolder))
    const folders = { ...facts, ...(await system.disk.space()) }
    const known = { logFault: await checkLog(system), folders }
    let isWhole = true
    for await (const finding of examineInstallation(system, known, values.all === true)) {
      isWhole &&= finding.level !== 'fault'
      tell(finding, values.json === true)
    }
    return isWhole ? 0 : 1
  } finally {
    await close()
  }
}

/** A lost key of the log, or a database of a later release, is a finding that the composition makes. */
export async function composed(config: Config) {
  try {
    return await compose(config)
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

const MARKS = { good: '✓', warning: '!', fault: '✗' } as const

/** A line for people, or an object for programs. */
export function tell(finding: Finding, asJson: boolean): void {
  const sentence = sentenceOfFinding(finding)
  const line = `${MARKS[finding.level]} ${sentence}`
  if (asJson) sayJson({ ...finding, sentence })
  else if (finding.level === 'fault') complain(line)
  else say(line)
}
