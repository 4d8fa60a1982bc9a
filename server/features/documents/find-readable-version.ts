import { findVersion } from '#server/db/documents/document-versions.ts'
import { mustHaveFile } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { findGuestVersion } from '#server/steps/signing/find-guest-document.ts'
import type { System } from '#server/system.ts'
import { findReadable, type Readable } from './find-readable.ts'

export type ReadableVersion = Readable & { version: DocumentVersion }

/**
 * A version that the actor may read: staff any of their office, a guest those of their session.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`, `file-purged`
 */
export async function findReadableVersion(
  system: Pick<System, 'db'>,
  actor: Actor,
  wanted: { documentId: DocumentId; version: number },
  at: Instant,
): Promise<ReadableVersion> {
  const { db } = system
  if (actor.kind === 'guest') {
    const found = await findGuestVersion(db, actor, wanted, at)
    return { ...found, subject: { kind: 'document', id: found.document.id } }
  }
  const readable = await findReadable(system, actor, wanted.documentId, at)
  mustHaveFile(readable.document)
  const version = await findVersion(db, wanted.documentId, wanted.version)
  if (!version)
    throw new Problem('not-found', `no version ${wanted.version} of ${wanted.documentId}`)
  return { ...readable, version }
}
