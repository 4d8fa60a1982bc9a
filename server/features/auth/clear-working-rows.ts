import { deleteWorkingRows } from '#server/db/sign-ins/working-rows.ts'
import type { System } from '#server/system.ts'

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
  return await db.transaction((trx) => deleteWorkingRows(trx, now))
}
