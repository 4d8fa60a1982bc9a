import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { findCeremony } from '#server/db/ceremonies.ts'
import { findVersion } from '#server/db/document-versions.ts'
import { findDocument } from '#server/db/documents.ts'
import { listSessionsAwaiting } from '#server/db/signers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { isTransition } from '#server/domain/documents/document-state.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { signedByOn } from '#server/domain/signing/session/ceremony.ts'
import { isOpenAt, type SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { turnOf } from '#server/domain/signing/session/turns.ts'
import type { System } from '#server/system.ts'

export type WaitingDocument = {
  document: Document
  /** The version that counts today. */
  version: DocumentVersion
  session: SigningSession
}

/** More than anybody signs before asking again. */
const MOST_SESSIONS = 200
const MOST_DOCUMENTS = 1000

/**
 * What whoever asks can sign now in the open sessions, the oldest session first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listWaiting(system: System, actor: Actor): Promise<WaitingDocument[]> {
  const { db, clock } = system
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'document.sign-in-session', own, now)
  const waiting: WaitingDocument[] = []
  const sessions = await listSessionsAwaiting(db, person.officeId, person.userId, MOST_SESSIONS)
  for (const id of sessions) {
    const ceremony = await findCeremony(db, id)
    if (!ceremony || !isOpenAt(ceremony.session, now)) continue
    const signers = ceremony.signers.filter(({ userId }) => userId === person.userId)
    for (const { id: documentId } of ceremony.documents) {
      if (waiting.length >= MOST_DOCUMENTS) return waiting
      const signedBy = signedByOn(ceremony, documentId)
      if (!signers.some((signer) => turnOf(signer, ceremony.signers, signedBy) === 'now')) continue
      const document = await findDocument(db, documentId)
      if (!document || !isTransition(document.state, 'signed')) continue
      const version = await findVersion(db, documentId, document.version)
      if (version) waiting.push({ document, version, session: ceremony.session })
    }
  }
  return waiting
}
