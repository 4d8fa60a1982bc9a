import { deleteUpload, listOverdueUploads } from '#server/db/documents/resumable-uploads.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { UPLOAD_LIFE } from '#server/domain/documents/resumable-upload.ts'
import { before, hours } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

const AT_ONCE = 20

/** A request that began before the end of its upload may still write. */
const MARGIN = hours(1)

/**
 * Removes uploads that are over, with their parts, and parts that belong to none because a process was killed. Not logged: no
 * document was made of them. Safe to run twice, and in two processes at once.
 *
 * @returns the number of uploads
 */
export async function clearUploads(
  { db, clock, blobs }: Pick<System, 'db' | 'clock' | 'blobs'>,
  stopping?: AbortSignal,
): Promise<number> {
  const now = clock.now()
  let removed = 0
  while (!stopping?.aborted) {
    const ids = await listOverdueUploads(db, now, AT_ONCE)
    if (ids.length === 0) break
    for (const id of ids) {
      const files = await db.transaction(async (trx) => {
        await lockUntilCommit(trx, `upload:${id}`)
        return await deleteUpload(trx, id)
      })
      for (const file of files) await blobs.parts.remove(file)
      removed += 1
    }
  }
  await blobs.parts.clear(before(before(now, UPLOAD_LIFE), MARGIN))
  return removed
}
