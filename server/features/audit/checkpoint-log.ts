import { setImmediate as turn } from 'node:timers/promises'
import { findCheckpoint, listCheckpoints } from '#server/db/audit/audit-checkpoints.ts'
import { listLogs } from '#server/db/audit/logs.ts'
import { readUnproven } from '#server/domain/audit/checkpoint.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { type LogFault, LogMismatch } from '#server/domain/audit/log-fault.ts'
import { type Duration, minutes, seconds } from '#server/domain/time.ts'
import { type Signing, signNext } from '#server/steps/audit/sign-next.ts'
import type { System } from '#server/system.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** Shortest time between two checkpoints, over all processes. */
const PAUSE = minutes(1)
/** Checkpoints copied to the file at once. */
const COPIED_AT_A_TIME = 500

export type Checkpointing = Signing & Pick<System, 'db' | 'checkpoints'>

/**
 * Signs a checkpoint of each open log over its events since the last one, if there are any, and copies checkpoints that are
 * missing to the files outside the database. Safe to run twice, and in two processes at once: a lock serializes them.
 *
 * @param stopping ends the run after the current checkpoint
 * @param pause minimum age of the last checkpoint
 * @returns the fault of the first log that has one; undefined if there is none
 */
export async function checkpointLogs(
  system: Checkpointing,
  stopping?: AbortSignal,
  pause = PAUSE,
): Promise<LogFault | undefined> {
  let first: LogFault | undefined
  for (const log of await listLogs(system.db)) {
    const fault = await checkpointLog(system, log, { stopping, pause })
    first ??= fault
  }
  return first
}

type Run = { stopping?: AbortSignal | undefined; pause: Duration }

/**
 * The same for one log. Signs nothing, and alerts the offices, if the log does not extend what was signed before.
 *
 * If we crash between the row and the file, the next run copies it.
 */
export async function checkpointLog(
  system: Checkpointing,
  log: Log,
  { stopping, pause }: Run,
): Promise<LogFault | undefined> {
  try {
    await mustKnowTheFile(system, log)
    // A closed log has its last checkpoint.
    let wait: Duration | undefined = log.closedAt === null ? pause : undefined
    while (wait !== undefined && !stopping?.aborted) {
      const age: Duration = wait
      const isMore = await system.db.transaction((trx) => signNext(trx, system, log, age))
      // SQLite answers synchronously: without this, other requests would wait until everything is signed.
      await turn()
      wait = isMore ? seconds(0) : undefined
    }
    await copyToFile(system, log)
    return undefined
  } catch (error) {
    if (!(error instanceof LogMismatch)) throw error
    await raiseLogAlarm(system, log, error.fault, 'stopped')
    return error.fault
  }
}

/**
 * Every checkpoint of the file must be in the database: this detects a database that was replaced by an older
 * copy.
 */
async function mustKnowTheFile({ db, checkpoints }: Checkpointing, log: Log): Promise<void> {
  const newest = await checkpoints.of(log).newest()
  const size = newest === undefined ? undefined : readUnproven(newest)?.size
  if (size === undefined) return
  const known = await findCheckpoint(db, log.number, size)
  if (known?.note !== newest) throw new LogMismatch({ kind: 'rolled-back', size })
}

async function copyToFile({ db, checkpoints }: Checkpointing, log: Log): Promise<void> {
  const file = checkpoints.of(log)
  const newest = await file.newest()
  let behind = newest === undefined ? 0 : (readUnproven(newest)?.size ?? 0)
  for (;;) {
    const missing = await listCheckpoints(db, log.number, { behind, limit: COPIED_AT_A_TIME })
    const last = missing.at(-1)
    if (!last) return
    await file.append(missing.map(({ note }) => note))
    behind = last.size
  }
}
