import { setImmediate as turn } from 'node:timers/promises'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import type { Checkpointing } from './checkpoint-log.ts'
import { wholeLog } from './export-whole-log.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** So many milliseconds of work, then others have their turn: SQLite answers without letting anybody in between. */
const AT_A_TIME = 10

/**
 * Reads the whole log and judges it as whoever gets its export would; the offices are alerted when it does not hold.
 * May run twice, and in two processes at once.
 *
 * @returns what is wrong with the log; undefined when nothing is, and for a check that was stopped
 */
export async function checkLog(
  system: Checkpointing,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  const judge = logJudge({ keys: [system.settings.logKey.verifier] })
  let turnAt = performance.now() + AT_A_TIME
  for await (const line of wholeLog(system, stopping)) {
    if (stopping?.aborted) return undefined
    judge.read(line)
    if (performance.now() < turnAt) continue
    await turn()
    turnAt = performance.now() + AT_A_TIME
  }
  const { fault } = judge.verdict()
  if (!fault) return undefined
  await raiseLogAlarm(system, fault, 'goes-on')
  return fault
}
