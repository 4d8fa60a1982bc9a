import { findUpload } from '#server/db/documents/resumable-uploads.ts'
import type { ResumableUpload } from '#server/domain/documents/resumable-upload.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { UploadId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Returns the upload if the actor began it and may still upload.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for the upload of another user, and once it is over
 */
export async function findOwnUpload(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  id: UploadId,
  now: Instant,
): Promise<{ person: Person; upload: ResumableUpload }> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.upload', own, now)
  const upload = await findUpload(db, id, now)
  if (!upload || upload.userId !== person.userId || upload.officeId !== person.officeId)
    throw new Problem('not-found', `no upload ${id} of ${person.userId}`)
  return { person, upload }
}
