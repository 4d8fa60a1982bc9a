import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertConsentRecord } from '#server/db/care/consents.ts'
import { countAcceptance, keepNoticeText } from '#server/db/care/notice-texts.ts'
import { findPrivacyNotice } from '#server/db/people/privacy-notices.ts'
import { insertConsent } from '#server/db/signing-sessions/guest-links.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { textOfNotice, writableText } from '#server/domain/identity/privacy-notice.ts'
import { ConsentId, Sha256 } from '#server/domain/ids.ts'
import { findGuest } from '#server/steps/signing/find-guest.ts'
import type { System } from '#server/system.ts'

export const AcceptPrivacyNotice = z.object({
  /** Digest of the text on the screen. */
  notice: Sha256,
})
export type AcceptPrivacyNotice = z.infer<typeof AcceptPrivacyNotice>

/** `changed`: the text changed meanwhile and must be read first. */
export type AcceptedPrivacyNotice = { kind: 'accepted' } | { kind: 'changed' }

/**
 * Records the guest's consent to the aviso de privacidad together with its text, because the office may change
 * the text later. A second call changes nothing.
 *
 * @throws {Problem} `signing-link-over`
 */
export async function acceptPrivacyNotice(
  system: System,
  actor: Actor,
  input: AcceptPrivacyNotice,
): Promise<AcceptedPrivacyNotice> {
  const { db, clock } = system
  const at = clock.now()
  const { guest, office } = await findGuest(db, actor)
  if (guest.consentedAt !== null) return { kind: 'accepted' }
  return await db.transaction(async (trx): Promise<AcceptedPrivacyNotice> => {
    const notice = await findPrivacyNotice(trx, office)
    if (notice.sha256 !== input.notice) return { kind: 'changed' }
    if (!(await insertConsent(trx, guest.linkId, notice.sha256, at))) return { kind: 'accepted' }
    await keepNoticeText(trx, office.id, { sha256: notice.sha256, text: writableText(notice), at })
    await countAcceptance(trx, office.id, notice.sha256)
    const { signerId, signingSessionId, name, rfc } = guest
    await insertConsentRecord(trx, {
      ...{ id: ConsentId.parse(guest.linkId), officeId: office.id, kind: 'privacy-notice' },
      ...{ name, rfc, userId: null, signerId, signingSessionId, documentId: null },
      ...{ notice: notice.sha256, at },
    })
    await appendEvent(trx, {
      actor: guest,
      at,
      action: 'signer.consented',
      subject: { kind: 'signing-session', id: guest.signingSessionId },
      details: { link: guest.linkId, sha256: notice.sha256, text: textOfNotice(notice) },
    })
    return { kind: 'accepted' }
  })
}
