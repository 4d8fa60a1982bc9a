import { findPrivacyNotice } from '#server/db/privacy-notices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { PrivacyNotice } from '#server/domain/identity/privacy-notice.ts'
import type { System } from '#server/system.ts'
import { findGuest } from './find-guest.ts'

/**
 * The aviso de privacidad of the office that asks an external signer, as it reads today.
 *
 * @throws {Problem} `signing-link-over`
 */
export async function readPrivacyNotice({ db }: System, actor: Actor): Promise<PrivacyNotice> {
  return await findPrivacyNotice(db, (await findGuest(db, actor)).office)
}
