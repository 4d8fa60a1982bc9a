import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { characterAt } from './requested-character.ts'
import type { Signer } from './signer.ts'
import type { SigningLink } from './signing-link.ts'

/** Why a signer whose turn it is cannot sign now. The page of the session shows it to the people who wait. */
export type Hindrance =
  | 'account-suspended'
  | 'capacity-not-in-force'
  | 'character-missing'
  | 'character-refused'
  | 'no-link'
  | 'link-over'

/** @param account of a signer who is a user */
export function hindranceOfUser(
  { character }: Pick<Signer, 'character'>,
  account: User,
  now: Instant,
): Hindrance | null {
  if (account.state !== 'active') return 'account-suspended'
  if (character.kind === 'refused') return 'character-refused'
  if (characterAt(character, account, now) !== undefined) return null
  return account.roles.includes('NOTARY') ? 'capacity-not-in-force' : 'character-missing'
}

/** @param link the newest link of an external signer, if there is one */
export function hindranceOfGuest(
  { character }: Pick<Signer, 'character'>,
  link: Pick<SigningLink, 'state' | 'expiresAt'> | undefined,
  now: Instant,
): Hindrance | null {
  if (character.kind !== 'declared') return 'character-refused'
  if (!link) return 'no-link'
  return link.state === 'revoked' || link.expiresAt <= now ? 'link-over' : null
}
