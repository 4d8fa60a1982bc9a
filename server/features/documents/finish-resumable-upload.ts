import { z } from 'zod'
import { findDocument } from '#server/db/documents/documents.ts'
import { deleteParts, findUpload, listParts } from '#server/db/documents/resumable-uploads.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Document } from '#server/domain/documents/document.ts'
import {
  digestOfParts,
  isWhole,
  keyOfPart,
  placeOfUploadKey,
  type ResumableUpload,
  type UploadPart,
} from '#server/domain/documents/resumable-upload.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Sha256, UploadId } from '#server/domain/ids.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findOwnUpload } from './find-own-upload.ts'
import { DOUBLE_CLICK, type StoredUpload, storeUpload, UploadDocument } from './upload-document.ts'

export const FinishResumableUpload = UploadDocument.omit({ fileName: true }).extend({
  uploadId: UploadId,
  /** See `digestOfParts`. */
  digest: Sha256,
  /** Whether it is stored although the office has a document with the same content. */
  isAgain: z.boolean(),
})
export type FinishResumableUpload = z.infer<typeof FinishResumableUpload>

/**
 * Makes a document of a file whose parts are all here, as `uploadDocument` does. Repeated, also at the same time, it returns the
 * same document. If the office has the content already and `isAgain` is false, nothing is stored, and the parts stay.
 *
 * @throws {Problem} `not-found`; `upload-incomplete` if parts are missing or of another file: the sender begins again, which
 *   sends only those; and see `uploadDocument`
 */
export async function finishResumableUpload(
  system: System,
  actor: Actor,
  { uploadId, digest, title, kind, instrument, isAgain }: FinishResumableUpload,
): Promise<StoredUpload> {
  const { db, clock } = system
  const { upload } = await findOwnUpload(system, actor, uploadId, clock.now())
  if (upload.documentId) return await finished(system, upload.documentId)
  try {
    const parts = await listParts(db, uploadId)
    if (!isWhole(upload.bytes, parts))
      throw new Problem('upload-incomplete', `${parts.length} parts of ${upload.bytes} bytes`)
    if (digestOfParts(parts) !== digest)
      throw new Problem('upload-incomplete', 'the parts are not those of the sender')
    const { fileName } = upload
    const content = contentOf(system, upload, parts)
    const input = { kind, instrument, fileName, content, isAgain }
    const named = async () => ({ title, sameWithin: DOUBLE_CLICK })
    const done = await storeUpload(system, actor, input, named, uploadId)
    // The document is stored, whatever becomes of its parts: the job removes those that stay.
    if (done.kind === 'stored') await removeParts(system, uploadId).catch(() => {})
    return done
  } catch (error) {
    if (!isProblem(error, 'upload-incomplete')) throw error
    // Another request finished it meanwhile and removed the parts.
    const now = await findUpload(db, uploadId, clock.now())
    if (now?.documentId) return await finished(system, now.documentId)
    throw error
  }
}

async function finished({ db }: System, id: Document['id']): Promise<StoredUpload> {
  const document = await findDocument(db, id)
  if (!document) throw new Error(`no document ${id} of a finished upload`)
  return { kind: 'stored', document }
}

async function* contentOf(
  system: System,
  { id, sealed }: ResumableUpload,
  parts: readonly UploadPart[],
): AsyncGenerator<Uint8Array> {
  const { blobs, vault } = system
  const uploadKey = vault.open(sealed, placeOfUploadKey(id))
  try {
    for (const part of parts) yield* blobs.parts.pieces(part, keyOfPart(uploadKey, part.file))
  } catch (error) {
    if (!isProblem(error, 'stored-file-damaged')) throw error
    // Replaced meanwhile, damaged on the disk, or not in the backup that was restored: the sender still has the file.
    await removeParts(system, id)
    throw new Problem('upload-incomplete', `a part of ${id} cannot be read`, { cause: error })
  }
}

/** If we crash before the files are gone, the job removes them. */
async function removeParts({ db, blobs }: System, id: UploadId): Promise<void> {
  const files = await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `upload:${id}`)
    return await deleteParts(trx, id)
  })
  for (const file of files) await blobs.parts.remove(file)
}
