import { z } from 'zod'
import { findPart, findUpload, replacePart } from '#server/db/documents/resumable-uploads.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { refusingOtherFiles } from '#server/domain/documents/refuse-other-files.ts'
import {
  keyOfPart,
  placeOfUploadKey,
  type ResumableUpload,
  sizeOfPart,
} from '#server/domain/documents/resumable-upload.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Sha256, UploadId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findOwnUpload } from './find-own-upload.ts'

export const StoreUploadPart = z.object({
  uploadId: UploadId,
  place: z.int().nonnegative(),
  /** Of the part, as its sender computed it. */
  sha256: Sha256,
})
export type StoreUploadPart = z.infer<typeof StoreUploadPart>

/**
 * Stores a part of a file on its way: durable once it returns. A part that is here already is not read again; other bytes at its
 * place replace it, so that a file that changed on the user's disk is never mixed with what it was.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `bad-request` if the bytes are not those of the digest or the size is
 *   another; `wrong-state` once the upload is finished; of the first part what `refusingOtherFiles` throws; `disk-full`
 */
export async function storeUploadPart(
  system: System,
  actor: Actor,
  { uploadId, place, sha256, content }: StoreUploadPart & { content: AsyncIterable<Uint8Array> },
): Promise<void> {
  const { db, clock, blobs } = system
  const { upload } = await findOwnUpload(system, actor, uploadId, clock.now())
  mustBeUnfinished(upload)
  const size = sizeOfPart(upload.bytes, place)
  if (size === undefined)
    throw new Problem('bad-request', `no part ${place} in ${upload.bytes} bytes`)
  const known = await findPart(db, uploadId, place)
  if (known?.sha256 === sha256) return

  const checked = place === 0 ? refusingOtherFiles(content) : content
  const uploadKey = system.vault.open(upload.sealed, placeOfUploadKey(uploadId))
  const written = await blobs.parts.write(checked, size, (file) => keyOfPart(uploadKey, file))
  let unused: string | undefined = written.file
  try {
    if (written.bytes !== size)
      throw new Problem('bad-request', `${written.bytes} of ${size} bytes`)
    if (written.sha256 !== sha256)
      throw new Problem('bad-request', `part ${place} is not what its digest says`)
    unused = await db.transaction(async (trx) => {
      await lockUntilCommit(trx, `upload:${uploadId}`)
      const now = await findUpload(trx, uploadId, clock.now())
      if (!now) throw new Problem('not-found', `upload ${uploadId} was discarded`)
      mustBeUnfinished(now)
      const before = await findPart(trx, uploadId, place)
      await replacePart(trx, uploadId, { place, ...written })
      return before?.file
    })
  } finally {
    // The one that it replaced, or the new one if it was refused.
    if (unused !== undefined) await blobs.parts.remove(unused)
  }
}

function mustBeUnfinished({ id, documentId }: ResumableUpload): void {
  if (documentId) throw new Problem('wrong-state', `upload ${id} is document ${documentId}`)
}
