import { folderFacts } from '#server/adapters/folder-facts.ts'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { compose } from '#server/compose.ts'
import type { Config } from '#server/config.ts'
import type { Finding } from '#server/domain/installation/finding.ts'
import { checkLogs, findLogFault } from '#server/features/audit/check-log.ts'
import { hasOtherKeys } from '#server/features/installation/has-other-keys.ts'
import type { System } from '#server/system.ts'
import { sentenceOfFinding } from '#server/words/findings.ts'
import { complain, say, sayJson } from './output.ts'
import { orUsage } from './usage.ts'

/**
 * What an examination cannot ask the database: the log against its checkpoints, the folders, the room on the disk.
 * Alerts the offices if the log is broken, unless the keys are of another installation: with these every checkpoint
 * looks false. The fault is reported all the same, and the server's daily check alerts with the right keys.
 */
export async function factsOf(config: Config, system: System) {
  const facts = folderFacts(config, openSealingKeys(config.secretsFolder))
  const otherKeys = (await hasOtherKeys(system)) ? config.secretsFolder : undefined
  const folders = { ...facts, ...(await system.disk.space()), otherKeys }
  return { logFault: await (otherKeys ? findLogFault : checkLogs)(system), folders }
}

/**
 * Says each finding, es-MX.
 *
 * @returns the exit status: 1 if something is lost or does not work
 */
export async function tellAll(findings: AsyncIterable<Finding>, asJson: boolean): Promise<number> {
  let isWhole = true
  for await (const finding of findings) {
    isWhole &&= finding.level !== 'fault'
    tell(finding, asJson)
  }
  return isWhole ? 0 : 1
}

/** A lost key of the log, or a database of a later release, is a finding that the composition makes. */
export const composed = (config: Config) => orUsage(compose(config))

const MARKS = { good: '✓', warning: '!', fault: '✗' } as const

/** A line for people, or an object for programs. */
function tell(finding: Finding, asJson: boolean): void {
  const sentence = sentenceOfFinding(finding)
  const line = `${MARKS[finding.level]} ${sentence}`
  if (asJson) sayJson({ ...finding, sentence })
  else if (finding.level === 'fault') complain(line)
  else say(line)
}
