import { listUnfinished, sumParts } from '#server/db/documents/resumable-uploads.ts'
import type { ResumableUpload } from '#server/domain/documents/resumable-upload.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** `here`: bytes of the parts that are stored. */
export type UnfinishedUpload = Omit<ResumableUpload, 'sealed'> & { here: number }

/**
 * The actor's uploads that were begun and not finished, the oldest first: `MOST_OF_USER` at most.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listUnfinishedUploads(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<UnfinishedUpload[]> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'document.upload', own, at)
  const uploads = await listUnfinished(db, userId, at)
  const sums = await sumParts(
    db,
    uploads.map(({ id }) => id),
  )
  return uploads.map(({ sealed: _, ...upload }) => ({ ...upload, here: sums.get(upload.id) ?? 0 }))
}
