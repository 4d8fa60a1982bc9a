import { findMisfiled } from '#server/db/audit/audit-events.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import type { Checkpointing } from './checkpoint-log.ts'
import { wholeLog } from './export-whole-log.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** Events held in memory at a time. */
const AT_A_TIME = 500

/**
 * Checks the whole log, and alerts the offices on a fault. Safe to run twice, and in two processes at once.
 *
 * @returns the fault; undefined if there is none or the check was stopped
 */
export async function checkLog(
  system: Checkpointing,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  const fault = await findLogFault(system, stopping)
  if (fault) await raiseLogAlarm(system, fault, 'goes-on')
  return fault
}

/**
 * Reads the whole log and checks it as a reader of its export would, and that every event is found as what it is.
 *
 * @returns undefined if there is no fault or the check was stopped
 */
export async function findLogFault(
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
  return judge.verdict().fault ?? (await firstMisfiled(system, stopping))
}

/** An export has no columns: a changed one hides an event from pages and breaks no signature. */
async function firstMisfiled(
  { db }: Pick<Checkpointing, 'db'>,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  const letOthersRun = turnTaker()
  for (let from = 0; !stopping?.aborted; ) {
    const { misfiled, read } = await findMisfiled(db, { from, limit: AT_A_TIME })
    const [seq] = misfiled
    if (seq !== undefined) return { kind: 'misfiled', seq }
    if (read < AT_A_TIME) return undefined
    from += read
    await letOthersRun()
  }
  return undefined
}
