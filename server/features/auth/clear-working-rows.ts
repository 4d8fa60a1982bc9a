import { setImmediate as turn } from 'node:timers/promises'
import { WORKING_ROWS } from '#server/db/sign-ins/working-rows.ts'
import { before, days } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Expired rows are kept for this long, to explain refusals. */
const KEPT = days(1)

/** Most rows of a transaction: other writers wait for it, and on SQLite every request. */
const AT_ONCE = 500

/**
 * Deletes expired working rows, some at a time. Safe to run twice, and in two processes at once. Not logged: it affects
 * no user.
 *
 * @returns the number of deleted rows
 */
export async function clearWorkingRows(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const now = clock.now()
  const over = { now, limit: before(now, KEPT) }
  let deleted = 0
  for (const rows of WORKING_ROWS) {
    while (!stopping?.aborted) {
      const keys = await rows.list(db, over, AT_ONCE)
      if (keys.length === 0) break
      deleted += await db.transaction((trx) => rows.delete(trx, keys, over))
      await turn()
    }
  }
  return deleted
}
