import {
  findNewestCheckpoint,
  insertCheckpoint,
  type StoredCheckpoint,
} from '#server/db/audit/audit-checkpoints.ts'
import { listStoredLeaves, type StoredLeaf } from '#server/db/audit/audit-events.ts'
import { insertSubtrees, isGrownFrom, rootOfSpan } from '#server/db/audit/audit-tree.ts'
import { countEvents } from '#server/db/audit/logs.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { openCheckpoint, signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { placeOf } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { NoteKey } from '#server/domain/audit/signed-note.ts'
import { after, type Duration, type Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Events per transaction. A longer backlog gets several checkpoints. */
const AT_A_TIME = 512

export type Signing = Pick<System, 'clock'> & { settings: Pick<System['settings'], 'logKeys'> }

/**
 * Signs the next events of a log.
 *
 * @param pause minimum age of the last checkpoint
 * @returns whether there are more events to sign
 * @throws {LogMismatch}
 */
export async function signNext(
  trx: Transaction,
  { clock, settings: { logKeys } }: Signing,
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
