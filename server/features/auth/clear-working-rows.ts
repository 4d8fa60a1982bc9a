import { deleteWorkingRows } from '#server/db/sign-ins/working-rows.ts'
import { before, days } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Rows that are over stay for so long, to explain why something was refused. */
const KEPT = days(1)

/**
 * Clears away what is of no use to anybody any more. May run twice, and in two processes at once. The log
 * does not tell it: nothing happened to anybody.
 *
 * @returns how many rows
 */
export async function clearWorkingRows({
  db,
  clock,
}: Pick<System, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  return await db.transaction((trx) => deleteWorkingRows(trx, { now, limit: before(now, KEPT) }))
}
