import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Guest } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { heldFor, versionsInSession } from '#server/domain/signing/session/held-for.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * A document that a guest may see: of their session, while it waits for them or after they signed it. Reading needs no
 * acceptance of the aviso de privacidad, which every page of a guest offers.
 *
 * @throws {Problem} `not-found` for everything else, so its existence is not revealed
 */
export async function findGuestDocument(
  db: Reader,
  guest: Guest,
  documentId: DocumentId,
  now: Instant,
): Promise<{ document: Document; ceremony: Ceremony }> {
  const document = await findDocument(db, documentId)
  const ceremony = await findCeremony(db, guest.signingSessionId)
  const signer = ceremony?.signers.find(({ id }) => id === guest.signerId)
  const isAsked = ceremony?.documents.some(({ id }) => id === documentId)
  if (!document || !ceremony || !signer || !isAsked)
    throw new Problem('not-found', `${documentId} is not held for ${guest.signerId}`)
  if (heldFor(ceremony, signer, documentId, now) === 'nothing')
    throw new Problem('not-found', `${documentId} is held for ${guest.signerId} no more`)
  return { document, ceremony }
}

/**
 * A version of such a document, as of the guest's session.
 *
 * @throws {Problem} `not-found`
 */
export async function findGuestVersion(
  db: Reader,
  guest: Guest,
  wanted: { documentId: DocumentId; version: number },
  now: Instant,
): Promise<{ document: Document; version: DocumentVersion }> {
  const { documentId } = wanted
  const { document, ceremony } = await findGuestDocument(db, guest, documentId, now)
  const versions = versionsInSession(ceremony, await listVersions(db, documentId))
  const version = versions.find((one) => one.version === wanted.version)
  if (!version)
    throw new Problem('not-found', `no version ${wanted.version} of ${documentId} in the session`)
  return { document, version }
}
