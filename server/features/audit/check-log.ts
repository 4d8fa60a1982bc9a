import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import type { Checkpointing } from './checkpoint-log.ts'
import { wholeLog } from './export-whole-log.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/**
 * Reads the whole log and checks it as a reader of its export would; alerts the offices on a fault. Safe to run
 * twice, and in two processes at once.
 *
 * @returns the fault; undefined if there is none or the check was stopped
 */
export async function checkLog(
  system: Checkpointing,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  const judge = logJudge({ keys: [system.settings.logKey.verifier] })
  const letOthersRun = turnTaker()
  for await (const line of wholeLog(system, stopping)) {
    if (stopping?.aborted) return undefined
    judge.read(line)
    await letOthersRun()
  }
  const { fault } = judge.verdict()
  if (!fault) return undefined
  await raiseLogAlarm(system, fault, 'goes-on')
  return fault
}
