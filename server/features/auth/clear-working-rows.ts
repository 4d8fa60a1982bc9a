import { deleteWorkingRows } from '#server/db/sign-ins/working-rows.ts'
import { before, days } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Expired rows are kept for this long, to explain refusals. */
const KEPT = days(1)

/**
 * Deletes expired working rows. Safe to run twice, and in two processes at once. Not logged: it affects no
 * user.
 *
 * @returns the number of deleted rows
 */
export async function clearWorkingRows({
  db,
  clock,
}: Pick<System, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  return await db.transaction((trx) => deleteWorkingRows(trx, { now, limit: before(now, KEPT) }))
}
