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
  /** Null until the guest consents to the aviso de privacidad: nothing is shown before. */
  asked: { session: SigningSession; documents: GuestDocument[] } | null
}

/**
 * The guest's name and the office; after consent to the aviso de privacidad also the session and its documents,
 * which is logged.
 *
 * @throws {Problem} `signing-link-over`
 */
export async function readGuestSession(system: System, actor: Actor): Promise<GuestSession> {
  const { db, clock } = system
  const now = clock.now()
  const found = await findGuest(db, actor)
  const { guest, ceremony, signer, office } = found
  const known = { signer, office, notice: await findPrivacyNotice(db, office), now }
  if (guest.consentedAt === null) return { ...known, asked: null }
  const documents = await documentsFor(db, found, now)
  await recordGuestView(db, found, now)
  return { ...known, asked: { session: ceremony.session, documents } }
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
