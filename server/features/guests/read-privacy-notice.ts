import { findPrivacyNotice } from '#server/db/people/privacy-notices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { PrivacyNotice } from '#server/domain/identity/privacy-notice.ts'
import { findGuest } from '#server/steps/signing/find-guest.ts'
import type { System } from '#server/system.ts'

/**
 * The current aviso de privacidad of the guest's office.
 *
 * @throws {Problem} `signing-link-over`
 */
export async function readPrivacyNotice({ db }: System, actor: Actor): Promise<PrivacyNotice> {
  return await findPrivacyNotice(db, (await findGuest(db, actor)).office)
}
