import { findMisfiled } from '#server/db/audit/audit-events.ts'
import { listLogs } from '#server/db/audit/logs.ts'
import type { Log } from '#server/domain/audit/log.ts'
import type { LogFault } from '#server/domain/audit/log-fault.ts'
import { logJudge } from '#server/domain/audit/log-judge.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import type { Checkpointing } from './checkpoint-log.ts'
import { wholeLog } from './export-whole-log.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** Events read at a time; SQLite reads them on the thread that serves requests. */
const AT_A_TIME = 100

/**
 * Checks every log whole, and alerts the offices on a fault. Safe to run twice, and in two processes at once.
 *
 * @returns the fault of the first log that has one; undefined if there is none or the check was stopped
 */
export async function checkLogs(
  system: Checkpointing,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  return await firstFault(system, stopping, (log, fault) =>
    raiseLogAlarm(system, log, fault, 'goes-on'),
  )
}

/** The same without an alert. */
export async function findLogFault(
  system: Checkpointing,
  stopping?: AbortSignal,
): Promise<LogFault | undefined> {
  return await firstFault(system, stopping, async () => {})
}

async function firstFault(
  system: Checkpointing,
  stopping: AbortSignal | undefined,
  report: (log: Log, fault: LogFault) => Promise<void>,
): Promise<LogFault | undefined> {
  let first: LogFault | undefined
  for (const log of await listLogs(system.db)) {
    const fault = await faultOf(system, log, stopping)
    if (fault) await report(log, fault)
    first ??= fault
  }
  return first
}

/**
 * Reads a log whole and checks it as a reader of its export would, and that every event is found as what it is.
 *
 * @returns undefined if there is no fault or the check was stopped
 */
async function faultOf(
  system: Checkpointing,
  log: Log,
  stopping: AbortSignal | undefined,
): Promise<LogFault | undefined> {
  const judge = logJudge({ keys: [system.settings.logKeys(log).verifier] })
  const letOthersRun = turnTaker()
  for await (const line of wholeLog(system, log, stopping)) {
    if (stopping?.aborted) return undefined
    judge.take(line)
    await letOthersRun()
  }
  const { fault, events, unproven } = judge.verdict()
  if (!fault && log.closedAt !== null && unproven > 0)
    return { kind: 'beyond-end', seq: events - unproven }
  return fault ?? (await firstMisfiled(system, log, stopping))
}

/** An export has no columns: a changed one hides an event from pages and breaks no signature. */
async function firstMisfiled(
  { db }: Pick<Checkpointing, 'db'>,
  { number }: Log,
  stopping: AbortSignal | undefined,
): Promise<LogFault | undefined> {
  const letOthersRun = turnTaker()
  for (let from = 0; !stopping?.aborted; ) {
    const { misfiled, read } = await findMisfiled(db, number, { from, limit: AT_A_TIME })
    const [seq] = misfiled
    if (seq !== undefined) return { kind: 'misfiled', seq }
    if (read < AT_A_TIME) return undefined
    from += read
    await letOthersRun()
  }
  return undefined
}
