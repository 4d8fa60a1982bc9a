import type { User } from '#server/domain/identity/user.ts'
import { signingCharacterOf } from '#server/domain/signing/signing-character.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Signer } from './signer.ts'
import type { SigningLink } from './signing-link.ts'

/** Why a signer whose turn it is cannot sign now. The page of the session shows it to the people who wait. */
export type Hindrance = 'account-suspended' | 'capacity-not-in-force' | 'no-link' | 'link-over'

/** @param account of the signer, where they work here */
export function hindranceOfUser(
  { character }: Pick<Signer, 'character'>,
  account: User,
  now: Instant,
): Hindrance | null {
  if (account.state !== 'active') return 'account-suspended'
  const isInForce = character !== null || signingCharacterOf(account, now) !== undefined
  return isInForce ? null : 'capacity-not-in-force'
}

/** @param link the newest of an external signer, if they ever had one */
export function hindranceOfGuest(
  link: Pick<SigningLink, 'state' | 'expiresAt'> | undefined,
  now: Instant,
): Hindrance | null {
  if (!link) return 'no-link'
  return link.state === 'revoked' || link.expiresAt <= now ? 'link-over' : null
}
