import type { Reader } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { signerMustBecome } from '#server/domain/signing/session/transitions.ts'
import { findGuest, type InvitedGuest } from '#server/steps/signing/find-guest.ts'

/**
 * The external signer who may reject the session of their link.
 *
 * @throws {Problem} `signing-link-over`, `consent-needed`; `session-state` when they have signed everything or the session is
 *   over
 */
export async function findRejectingGuest(db: Reader, actor: Actor): Promise<InvitedGuest> {
  const found = await findGuest(db, actor)
  const { guest, ceremony, signer } = found
  if (guest.consentedAt === null) throw new Problem('consent-needed', 'did not agree yet')
  signerMustBecome(signer, 'rejected')
  if (ceremony.session.state !== 'open')
    throw new Problem('session-state', `${ceremony.session.id} is ${ceremony.session.state}`)
  return found
}
