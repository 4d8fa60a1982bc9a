import { setImmediate as turn } from 'node:timers/promises'
import {
  findCheckpoint,
  findNewestCheckpoint,
  insertCheckpoint,
  listCheckpoints,
  type StoredCheckpoint,
} from '#server/db/audit/audit-checkpoints.ts'
import { listStoredLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { insertSubtrees, isGrownFrom, rootOfSpan } from '#server/db/audit/audit-tree.ts'
import { countEvents, listLogs } from '#server/db/audit/logs.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { openCheckpoint, readUnproven, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { placeOf } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { type LogFault, LogMismatch } from '#server/domain/audit/log-fault.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { NoteKey } from '#server/domain/audit/signed-note.ts'
import { after, type Duration, type Instant, minutes, seconds } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { raiseLogAlarm } from './raise-log-alarm.ts'

/** Shortest time between two checkpoints, over all processes. */
const PAUSE = minutes(1)
/** Events per transaction. A longer backlog gets several checkpoints. */
const AT_A_TIME = 512
/** Checkpoints copied to the file at once. */
const COPIED_AT_A_TIME = 500

export type Checkpointing = Pick<System, 'db' | 'clock' | 'checkpoints'> & {
  settings: Pick<System['settings'], 'logKeys'>
}

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

/**
 * Signs the next events of a log.
 *
 * @param pause minimum age of the last checkpoint
 * @returns whether there are more events to sign
 * @throws {LogMismatch}
 */
export async function signNext(
  trx: Transaction,
  { clock, settings: { logKeys } }: Pick<Checkpointing, 'clock' | 'settings'>,
  log: Log,
  pause: Duration,
): Promise<boolean> {
  await lockUntilCommit(trx, `checkpoints ${log.number}`)
  const at = clock.now()
  const key = logKeys(log)
  const last = await findNewestCheckpoint(trx, log.number)
  const signed = last && (await mustHold(trx, log, last, key))
  if (last && isRecent(last.at, at, pause)) return false
  const start = last?.size ?? 0
  const leaves = await listStoredLeaves(trx, log.number, { from: start, limit: AT_A_TIME })
  if (leaves.length === 0) return false
  mustFollow(leaves, start)
  const size = start + leaves.length
  await insertSubtrees(trx, log.number, { start, end: size })
  const head = { size, root: await rootOfSpan(trx, log.number, { start: 0, end: size }) }
  if (signed && !(await isGrownFrom(trx, log.number, signed, head)))
    throw new LogMismatch({ kind: 'rewritten', from: 0, to: signed.size })
  await insertCheckpoint(trx, log.number, { ...head, note: signCheckpoint(head, key), at })
  return leaves.length === AT_A_TIME
}

/** @returns the tree head of the note, which matches the row */
async function mustHold(
  trx: Transaction,
  { number }: Log,
  { size, root, note }: StoredCheckpoint,
  { verifier }: NoteKey,
): Promise<TreeHead> {
  const signed = openCheckpoint(note, [verifier])
  if (signed?.size !== size || signed.root !== root) throw new LogMismatch({ kind: 'forged', size })
  const events = await countEvents(trx, number)
  if (events < size) throw new LogMismatch({ kind: 'cut', events, size })
  return signed
}

/** False if the clock was set back: that is no reason to wait. */
const isRecent = (last: Instant, now: Instant, pause: Duration) =>
  last <= now && now < after(last, pause)

/** Checks the new leaves, which no checkpoint covers yet. */
function mustFollow(leaves: readonly StoredLeaf[], start: number): void {
  for (const [index, leaf] of leaves.entries()) {
    const seq = start + index
    if (leaf.seq !== seq) throw new LogMismatch({ kind: 'missing', seq })
    if (leafHash(leaf.canonical) !== leaf.leafHash || placeOf(leaf.canonical) !== seq)
      throw new LogMismatch({ kind: 'changed', seq })
  }
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
