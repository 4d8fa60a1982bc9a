import type { Actor } from '#server/domain/identity/actor.ts'
import { type PrivacyNotice, privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import type { System } from '#server/system.ts'
import { findGuest } from './find-guest.ts'

/**
 * The aviso de privacidad of the office that asks an external signer, as it reads today.
 *
 * @throws {Problem} `signing-link-spent`
 */
export async function readPrivacyNotice({ db }: System, actor: Actor): Promise<PrivacyNotice> {
  return privacyNoticeOf((await findGuest(db, actor)).office)
}
