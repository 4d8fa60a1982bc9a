import { findLinkByToken, guestOf } from '#server/db/signing-sessions/guest-links.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { Guest, Origin } from '#server/domain/identity/actor.ts'
import { isLinkLive } from '#server/domain/signing/session/signing-link.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import type { System } from '#server/system.ts'

/**
 * The guest of this token; undefined if the token is unknown, the link expired or was revoked, or the signer
 * was replaced.
 *
 * @param token as the browser sent it
 * @throws {Problem} `office-suspended`
 */
export async function resumeGuest(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  origin: Origin,
  token: string,
): Promise<Guest | undefined> {
  const known = Token.safeParse(token)
  const found = known.success && (await findLinkByToken(db, hashOfToken(known.data)))
  if (!found) return undefined
  const { link, signer, sessionState } = found
  if (!isLinkLive(link, signer.state, sessionState, clock.now())) return undefined
  await mustOperate(db, found.officeId)
  return guestOf(found, origin)
}
