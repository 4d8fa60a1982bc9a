import { findPrivacyNotice } from '#server/db/people/privacy-notices.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { PrivacyNotice } from '#server/domain/identity/privacy-notice.ts'
import { type HeldFor, heldFor } from '#server/domain/signing/session/held-for.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { findGuest, type InvitedGuest } from '#server/steps/signing/find-guest.ts'
import { listDocumentsIn } from '#server/steps/signing/list-documents-in.ts'
import { recordGuestView } from '#server/steps/signing/record-guest-view.ts'
import type { System } from '#server/system.ts'

export type GuestDocument = { document: Document; pages: number; held: HeldFor }

/** The guest's first page. */
export type GuestSession = {
  signer: Signer
  office: Office
  notice: PrivacyNotice
  now: Instant
  /** Whether they accepted the aviso de privacidad; until then they read, and neither sign nor reject. */
  hasConsented: boolean
  session: SigningSession
  documents: GuestDocument[]
}

/**
 * The guest's name, the office, the session and its documents. Logs the view.
 *
 * @throws {Problem} `signing-link-over`
 */
export async function readGuestSession(system: System, actor: Actor): Promise<GuestSession> {
  const { db, eventQueue, clock } = system
  const now = clock.now()
  const found = await findGuest(db, actor)
  const { guest, ceremony, signer, office } = found
  const documents = await documentsFor(db, found, now)
  await recordGuestView(eventQueue, found, now)
  return {
    ...{ signer, office, documents, now },
    notice: await findPrivacyNotice(db, office),
    hasConsented: guest.consentedAt !== null,
    session: ceremony.session,
  }
}

async function documentsFor(
  db: Reader,
  { ceremony, signer }: InvitedGuest,
  now: Instant,
): Promise<GuestDocument[]> {
  const current = await listDocumentsIn(db, ceremony)
  return current.map(({ document, version }) => ({
    document,
    pages: version.pages,
    held: heldFor(ceremony, signer, document.id, now),
  }))
}
