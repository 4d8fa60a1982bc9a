import type { AuditCheckpointRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Instant } from '#server/domain/time.ts'

/** A signed checkpoint. The signed content is in `note`; `root` is a copy that may have been tampered with. */
export type StoredCheckpoint = { size: number; root: string; note: string; at: Instant }

/** The checkpoint over the most events. */
export async function findNewestCheckpoint(db: Reader): Promise<StoredCheckpoint | undefined> {
  const query = db.selectFrom('audit_checkpoints').selectAll().orderBy('size', 'desc').limit(1)
  const row = await query.executeTakeFirst()
  return row && toCheckpoint(row)
}

/** The checkpoint over exactly `size` events. */
export async function findCheckpoint(
  db: Reader,
  size: number,
): Promise<StoredCheckpoint | undefined> {
  const query = db.selectFrom('audit_checkpoints').selectAll().where('size', '=', size)
  const row = await query.executeTakeFirst()
  return row && toCheckpoint(row)
}

/** Checkpoints over more than `behind` events, smallest first. */
export async function listCheckpoints(
  db: Reader,
  { behind, limit }: { behind: number; limit: number },
): Promise<StoredCheckpoint[]> {
  const query = db.selectFrom('audit_checkpoints').selectAll().where('size', '>', behind)
  const rows = await query.orderBy('size').limit(limit).execute()
  return rows.map(toCheckpoint)
}

/** The notes, each with its tree size, that are not stored. */
export async function withoutStored<T extends { size: number; note: string }>(
  db: Reader,
  notes: readonly T[],
): Promise<T[]> {
  const sizes = notes.map(({ size }) => size)
  const query = db.selectFrom('audit_checkpoints').select('note').where('size', 'in', sizes)
  const stored = new Set((await query.execute()).map(({ note }) => note))
  return notes.filter(({ note }) => !stored.has(note))
}

export async function insertCheckpoint(
  trx: Transaction,
  checkpoint: StoredCheckpoint,
): Promise<void> {
  await trx.insertInto('audit_checkpoints').values(checkpoint).execute()
}

function toCheckpoint({ size, root, note, at }: AuditCheckpointRow): StoredCheckpoint {
  return { size, root, note, at: Instant.parse(at) }
}
