import { z } from 'zod'
import { appendEvent } from '#server/db/audit-events.ts'
import { findVersion } from '#server/db/document-versions.ts'
import { findDocument } from '#server/db/documents.ts'
import { listSigningLinks } from '#server/db/signing-links.ts'
import { findUser } from '#server/db/users.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { type Ceremony, progressOf } from '#server/domain/signing/session/ceremony.ts'
import type { SigningLink } from '#server/domain/signing/session/signing-link.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

export const ReadSigningSession = z.object({ signingSessionId: SigningSessionId })
export type ReadSigningSession = z.infer<typeof ReadSigningSession>

export type SigningSessionDetail = {
  ceremony: Ceremony
  author: User
  /** In the order of the session. */
  documents: { document: Document; version: DocumentVersion }[]
  /** The newest link of each external signer who has one. */
  links: SigningLink[]
  progress: { made: number; wanted: number }
}

/**
 * All about one session. Looking at it is written into the log.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id }: ReadSigningSession,
): Promise<SigningSessionDetail> {
  const { db, clock } = system
  const at = clock.now()
  const found = await findManagedSession(system, actor, id, at, 'signing-sessions.read')
  const { ceremony, subject } = found
  const author = await findUser(db, ceremony.session.createdBy)
  if (!author) throw new Error(`nobody made session ${id}`)
  const documents: SigningSessionDetail['documents'] = []
  for (const { id: documentId } of ceremony.documents) {
    const document = await findDocument(db, documentId)
    const version = document && (await findVersion(db, documentId, document.version))
    if (!document || !version) throw new Error(`session ${id} holds ${documentId}, which is gone`)
    documents.push({ document, version })
  }
  const links = await listSigningLinks(
    db,
    ceremony.signers.map((signer) => signer.id),
    at,
  )
  await db.transaction((trx) =>
    appendEvent(trx, { actor, at, action: 'signing-session.viewed', subject }),
  )
  return { ceremony, author, documents, links, progress: progressOf(ceremony) }
}
