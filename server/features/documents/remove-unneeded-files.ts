import { forgetUnneededFile, listUnneededFiles } from '#server/db/documents/unneeded-files.ts'
import type { System } from '#server/system.ts'

const AT_ONCE = 100

/**
 * Removes files that no row names any more. If we crash between a file and its row, the next run removes a file that
 * is gone. Safe to run in two processes at once.
 *
 * @returns the number of files
 */
export async function removeUnneededFiles(
  { db, blobs }: Pick<System, 'db' | 'blobs'>,
  stopping?: AbortSignal,
): Promise<number> {
  let removed = 0
  while (!stopping?.aborted) {
    const files = await listUnneededFiles(db, AT_ONCE)
    for (const file of files) {
      await blobs.remove(file)
      await db.transaction((trx) => forgetUnneededFile(trx, file))
    }
    removed += files.length
    if (files.length < AT_ONCE) break
  }
  return removed
}
