import { setImmediate as turn } from 'node:timers/promises'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import type { Checkpointing } from './checkpoint-log.ts'
import { wholeLog } from './export-whole-log.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** So many lines are judged, then others have their turn: SQLite answers without letting anybody in between. */
const AT_A_TIME = 250

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
  let count = 0
  for await (const line of wholeLog(system)) {
    judge.read(line)
    count += 1
    if (count % AT_A_TIME === 0) await turn()
    if (stopping?.aborted) return undefined
  }
  const { fault } = judge.verdict()
  if (!fault) return undefined
  await raiseLogAlarm(system, fault, 'goes-on')
  return fault
}
