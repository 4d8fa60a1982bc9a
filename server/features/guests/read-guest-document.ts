import { z } from 'zod'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { heldFor, versionsInSession } from '#server/domain/signing/session/held-for.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { findGuest } from '#server/steps/signing/find-guest.ts'
import type { System } from '#server/system.ts'

export const ReadGuestDocument = z.object({ documentId: DocumentId })
export type ReadGuestDocument = z.infer<typeof ReadGuestDocument>

export type GuestDocumentDetail =
  /** `readSigning` gives the rest. */
  | { held: 'now' | 'waiting' }
  /** `version` is the newest of the session. */
  | {
      held: 'signed'
      document: Document
      version: DocumentVersion
      signer: Signer
      session: SigningSession
      /** The next document that they can sign; null if none waits for them now. */
      next: Pick<Document, 'id' | 'title'> | null
    }

/**
 * One document as a guest may see it. Viewing a signed one is logged.
 *
 * @throws {Problem} `signing-link-over`; `not-found` also for a document outside the link's
 *   session; `session-overdue`, `session-over` when there is nothing left to sign
 */
export async function readGuestDocument(
  system: System,
  actor: Actor,
  { documentId }: ReadGuestDocument,
): Promise<GuestDocumentDetail> {
  const { db, eventQueue, clock } = system
  const now = clock.now()
  const { guest, ceremony, signer } = await findGuest(db, actor)
  const document = await findDocument(db, documentId)
  if (!document || !ceremony.documents.some(({ id }) => id === documentId))
    throw new Problem('not-found', `${documentId} is not held for ${signer.id}`)
  const held = heldFor(ceremony, signer, documentId, now)
  if (held === 'nothing') throw overOrOverdue(ceremony.session)
  if (held !== 'signed') return { held }
  const [version] = versionsInSession(ceremony, await listVersions(db, documentId))
  if (!version) throw new Error(`${documentId} was signed and has no version`)
  await eventQueue.append({
    actor: guest,
    at: now,
    action: 'document.viewed',
    subject: { kind: 'document', id: documentId },
    details: { version: version.version },
  })
  const waiting = ceremony.documents.find(({ id }) => heldFor(ceremony, signer, id, now) === 'now')
  const next = waiting ? ((await findDocument(db, waiting.id)) ?? null) : null
  return { held, document, version, signer, session: ceremony.session, next }
}

/** A session that still holds its documents can be extended, so it is only overdue. */
const overOrOverdue = ({ id, state }: SigningSession) =>
  new Problem(
    state === 'open' || state === 'expired' ? 'session-overdue' : 'session-over',
    `${id} is ${state}`,
  )
