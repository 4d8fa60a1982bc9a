import { setImmediate as turn } from 'node:timers/promises'
import {
  findCheckpoint,
  findNewestCheckpoint,
  insertCheckpoint,
  listCheckpoints,
  type StoredCheckpoint,
} from '#server/db/audit/audit-checkpoints.ts'
import { countEvents, listStoredLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { insertSubtrees, isGrownFrom, rootOfSpan } from '#server/db/audit/audit-tree.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { openCheckpoint, readUnproven, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { placeOf } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
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
  settings: Pick<System['settings'], 'logKey'>
}

/**
 * Signs a checkpoint over the events since the last one, if there are any, and copies checkpoints that are
 * missing to the file outside the database. Safe to run twice, and in two processes at once: a lock serializes
 * them. Signs nothing, and alerts the offices, if the log does not extend what was signed before.
 *
 * If we crash between the row and the file, the next run copies it.
 *
 * @param stopping ends the run after the current checkpoint
 * @param pause minimum age of the last checkpoint
 * @returns the fault of the log; undefined if there is none
 */
export async function checkpointLog(
  system: Checkpointing,
  stopping?: AbortSignal,
  pause = PAUSE,
): Promise<LogFault | undefined> {
  try {
    await mustKnowTheFile(system)
    let wait: Duration | undefined = pause
    while (wait !== undefined && !stopping?.aborted) {
      const age: Duration = wait
      const isMore = await system.db.transaction((trx) => signNext(trx, system, age))
      // SQLite answers synchronously: without this, other requests would wait until everything is signed.
      await turn()
      wait = isMore ? seconds(0) : undefined
    }
    await copyToFile(system)
    return undefined
  } catch (error) {
    if (!(error instanceof LogMismatch)) throw error
    await raiseLogAlarm(system, error.fault, 'stopped')
    return error.fault
  }
}

/**
 * Every checkpoint of the file must be in the database: this detects a database that was replaced by an older
 * copy.
 */
async function mustKnowTheFile({ db, checkpoints }: Checkpointing): Promise<void> {
  const newest = await checkpoints.newest()
  const size = newest === undefined ? undefined : readUnproven(newest)?.size
  if (size === undefined) return
  const known = await findCheckpoint(db, size)
  if (known?.note !== newest) throw new LogMismatch({ kind: 'rolled-back', size })
}

/** @returns whether there are more events to sign */
async function signNext(
  trx: Transaction,
  { clock, settings: { logKey } }: Checkpointing,
  pause: Duration,
): Promise<boolean> {
  await lockUntilCommit(trx, 'checkpoints')
  const at = clock.now()
  const last = await findNewestCheckpoint(trx)
  const signed = last && (await mustHold(trx, last, logKey))
  if (last && isRecent(last.at, at, pause)) return false
  const start = last?.size ?? 0
  const leaves = await listStoredLeaves(trx, { from: start, limit: AT_A_TIME })
  if (leaves.length === 0) return false
  mustFollow(leaves, start)
  const size = start + leaves.length
  await insertSubtrees(trx, { start, end: size })
  const head = { size, root: await rootOfSpan(trx, { start: 0, end: size }) }
  if (signed && !(await isGrownFrom(trx, signed, head)))
    throw new LogMismatch({ kind: 'rewritten', from: 0, to: signed.size })
  await insertCheckpoint(trx, { ...head, note: signCheckpoint(head, logKey), at })
  return leaves.length === AT_A_TIME
}

/** @returns the tree head of the note, which matches the row */
async function mustHold(
  trx: Transaction,
  { size, root, note }: StoredCheckpoint,
  { verifier }: NoteKey,
): Promise<TreeHead> {
  const signed = openCheckpoint(note, [verifier])
  if (signed?.size !== size || signed.root !== root) throw new LogMismatch({ kind: 'forged', size })
  const events = await countEvents(trx)
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

async function copyToFile({ db, checkpoints }: Checkpointing): Promise<void> {
  const newest = await checkpoints.newest()
  let behind = newest === undefined ? 0 : (readUnproven(newest)?.size ?? 0)
  for (;;) {
    const missing = await listCheckpoints(db, { behind, limit: COPIED_AT_A_TIME })
    const last = missing.at(-1)
    if (!last) return
    await checkpoints.append(missing.map(({ note }) => note))
    behind = last.size
  }
}
