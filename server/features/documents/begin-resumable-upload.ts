import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  countUnfinished,
  deleteUpload,
  insertUpload,
  listParts,
  listUnfinished,
} from '#server/db/documents/resumable-uploads.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import {
  MOST_OF_OFFICE,
  MOST_OF_USER,
  placeOfUploadKey,
  type ResumableUpload,
  UPLOAD_KEY_BYTES,
  UPLOAD_LIFE,
  type UploadPart,
} from '#server/domain/documents/resumable-upload.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { UploadId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, Instant, minutes } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const BeginResumableUpload = z.object({
  fileName: FileName,
  bytes: z.int().nonnegative(),
  modifiedAt: Instant,
})
export type BeginResumableUpload = z.infer<typeof BeginResumableUpload>

export type BegunUpload = {
  upload: ResumableUpload
  /** Those that are here already. */
  parts: UploadPart[]
}

const RETRY_AFTER = minutes(10)

/**
 * Begins to send a file in parts, or goes on with the unfinished upload of this file by this user: in another tab, after a reload,
 * after signing in again, through another process.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `empty-file`, `too-large`, `too-many-uploads`
 */
export async function beginResumableUpload(
  system: System,
  actor: Actor,
  { fileName, bytes, modifiedAt }: BeginResumableUpload,
): Promise<BegunUpload> {
  const { db, clock, blobs, vault, settings } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'document.upload', own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  if (bytes === 0) throw new Problem('empty-file', 'the file has no bytes')
  const limit = Math.min(settings.uploadLimit, office.uploadLimit)
  if (bytes > limit) throw new Problem('too-large', `${bytes} bytes of at most ${limit}`)

  const id = UploadId.parse(randomUUID())
  const fresh: ResumableUpload = {
    ...{ id, officeId, userId, fileName, bytes, modifiedAt },
    sealed: vault.seal(randomBytes(UPLOAD_KEY_BYTES), placeOfUploadKey(id)),
    createdAt: at,
    expiresAt: after(at, UPLOAD_LIFE),
    documentId: null,
  }
  const { begun, dropped } = await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `uploads:${officeId}`)
    const unfinished = await listUnfinished(trx, userId, at)
    const same = unfinished.find(
      (one) => one.fileName === fileName && one.bytes === bytes && one.modifiedAt === modifiedAt,
    )
    if (same) return { begun: { upload: same, parts: await listParts(trx, same.id) }, dropped: [] }
    const surplus = unfinished.slice(0, Math.max(0, unfinished.length - MOST_OF_USER + 1))
    const files: string[] = []
    for (const one of surplus) files.push(...(await deleteUpload(trx, one.id)))
    if ((await countUnfinished(trx, officeId, at)) >= MOST_OF_OFFICE)
      throw new Problem('too-many-uploads', `office ${officeId}`, { retryAfter: RETRY_AFTER })
    await insertUpload(trx, fresh)
    return { begun: { upload: fresh, parts: [] }, dropped: files }
  })
  for (const file of dropped) await blobs.parts.remove(file)
  return begun
}
