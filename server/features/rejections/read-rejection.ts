import {
  expiryOfRejectionCode,
  findRejectionCodeTime,
} from '#server/db/signing-sessions/rejection-codes.ts'
import type { RejectionFacts } from '#server/domain/efirma/rejection-statement.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { hasSignedAny } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findRejectingGuest } from './find-rejecting-guest.ts'
import { findRejectionFacts } from './find-rejection-facts.ts'

/** What the page on which an external signer rejects shows. */
export type RejectionView = {
  signer: Signer
  office: Office
  facts: RejectionFacts
  /** When the newest code expires; null if none was sent, or it is over. */
  codeExpiresAt: Instant | null
  /** Whether they signed something in the session, of which they keep a copy. */
  hasCopy: boolean
  now: Instant
}

/** @throws {Problem} `signing-link-over`, `consent-needed`, `session-state` */
export async function readRejection(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<RejectionView> {
  const now = clock.now()
  const found = await findRejectingGuest(db, actor)
  const { guest, signer, office, ceremony } = found
  const sentAt = await findRejectionCodeTime(db, guest.linkId)
  const expiresAt = sentAt === null ? null : expiryOfRejectionCode(sentAt)
  return {
    signer,
    office,
    facts: await findRejectionFacts(db, found),
    codeExpiresAt: expiresAt !== null && now < expiresAt ? expiresAt : null,
    hasCopy: hasSignedAny(ceremony, signer.id),
    now,
  }
}
