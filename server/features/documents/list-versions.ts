import { listVersions as listRows } from '#server/db/documents/document-versions.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findReadable } from './find-readable.ts'

export type ListedVersion = DocumentVersion & {
  /** Null if a job made it. */
  author: string | null
}

/**
 * All versions of a document, newest first, with the names of their authors.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function listVersions(
  system: System,
  actor: Actor,
  { documentId }: { documentId: DocumentId },
): Promise<{ document: Document; versions: ListedVersion[] }> {
  const { db, clock } = system
  const { document } = await findReadable(system, actor, documentId, clock.now())
  const versions = await listRows(db, documentId)
  const users = await findUsers(
    db,
    versions.flatMap(({ by }) => by ?? []),
  )
  const signers = await findSigners(
    db,
    versions.flatMap(({ by, signer }) => (by === null ? (signer ?? []) : [])),
  )
  const authorOf = ({ by, signer }: DocumentVersion): string | null => {
    const user = by === null ? undefined : users.get(by)
    if (user) return fullName(user)
    return (signer === null ? undefined : signers.get(signer)?.name) ?? null
  }
  return {
    document,
    versions: versions.map((version) => ({ ...version, author: authorOf(version) })),
  }
}
