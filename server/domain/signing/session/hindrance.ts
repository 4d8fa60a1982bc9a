import type { User } from '#server/domain/identity/user.ts'
import { signingCharacterOf } from '#server/domain/signing/signing-character.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Signer } from './signer.ts'
import type { SigningLink } from './signing-link.ts'

/** Why a signer whose turn it is cannot sign now, for the page of the session. */
export type Hindrance = 'account-suspended' | 'capacity-not-in-force' | 'no-link' | 'link-over'

/** @param account of a signer who is a user */
export function hindranceOfUser(
  { character }: Pick<Signer, 'character'>,
  account: User,
  now: Instant,
): Hindrance | null {
  if (account.state !== 'active') return 'account-suspended'
  const isInForce = character !== null || signingCharacterOf(account, now) !== undefined
  return isInForce ? null : 'capacity-not-in-force'
}

/** @param link the newest link of an external signer, if there is one */
export function hindranceOfGuest(
  link: Pick<SigningLink, 'state' | 'expiresAt'> | undefined,
  now: Instant,
): Hindrance | null {
  if (!link) return 'no-link'
  return link.state === 'revoked' || link.expiresAt <= now ? 'link-over' : null
}
