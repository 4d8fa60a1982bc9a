import { deleteUpload } from '#server/db/documents/resumable-uploads.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { UploadId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findOwnUpload } from './find-own-upload.ts'

/**
 * Deletes an upload of the actor, its key and its bytes. A document that was made of it stays.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function discardUpload(
  system: System,
  actor: Actor,
  uploadId: UploadId,
): Promise<void> {
  const { db, clock, blobs } = system
  await findOwnUpload(system, actor, uploadId, clock.now())
  const files = await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `upload:${uploadId}`)
    return await deleteUpload(trx, uploadId)
  })
  for (const file of files) await blobs.parts.remove(file)
}
