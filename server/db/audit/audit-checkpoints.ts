import type { AuditCheckpointRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { behindLog, type LogNumber, positionOf, seqAt } from '#server/domain/audit/log.ts'
import { Instant } from '#server/domain/time.ts'

/** A signed checkpoint. The signed content is in `note`; `root` is a copy that may have been tampered with. */
export type StoredCheckpoint = { size: number; root: string; note: string; at: Instant }

/** The checkpoint of a log over the most events. */
export async function findNewestCheckpoint(
  db: Reader,
  log: LogNumber,
): Promise<StoredCheckpoint | undefined> {
  const query = checkpointsOf(db, log).orderBy('size', 'desc').limit(1)
  const row = await query.executeTakeFirst()
  return row && toCheckpoint(row)
}

/** The checkpoint over exactly `size` events. */
export async function findCheckpoint(
  db: Reader,
  log: LogNumber,
  size: number,
): Promise<StoredCheckpoint | undefined> {
  const query = checkpointsOf(db, log).where('size', '=', positionOf(log, size))
  const row = await query.executeTakeFirst()
  return row && toCheckpoint(row)
}

/** Checkpoints over more than `behind` events, smallest first. */
export async function listCheckpoints(
  db: Reader,
  log: LogNumber,
  { behind, limit }: { behind: number; limit: number },
): Promise<StoredCheckpoint[]> {
  const query = checkpointsOf(db, log).where('size', '>', positionOf(log, behind))
  const rows = await query.orderBy('size').limit(limit).execute()
  return rows.map(toCheckpoint)
}

/** The notes, each with its tree size, that are not stored. */
export async function withoutStored<T extends { size: number; note: string }>(
  db: Reader,
  log: LogNumber,
  notes: readonly T[],
): Promise<T[]> {
  const sizes = notes.map(({ size }) => positionOf(log, size))
  const query = db.selectFrom('audit_checkpoints').select('note').where('size', 'in', sizes)
  const stored = new Set((await query.execute()).map(({ note }) => note))
  return notes.filter(({ note }) => !stored.has(note))
}

export async function insertCheckpoint(
  trx: Transaction,
  log: LogNumber,
  { size, ...checkpoint }: StoredCheckpoint,
): Promise<void> {
  const row = { ...checkpoint, size: positionOf(log, size) }
  await trx.insertInto('audit_checkpoints').values(row).execute()
}

/** A checkpoint over no events is never signed, so that the first position is no checkpoint of the log before. */
const checkpointsOf = (db: Reader, log: LogNumber) =>
  db
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('size', '>', positionOf(log, 0))
    .where('size', '<', behindLog(log))

function toCheckpoint({ size, root, note, at }: AuditCheckpointRow): StoredCheckpoint {
  return { size: seqAt(size), root, note, at: Instant.parse(at) }
}
