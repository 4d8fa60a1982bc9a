import { isDeepStrictEqual } from 'node:util'
import type { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { SigningCharacter } from '#server/domain/identity/signing-character.ts'
import { Problem } from '#server/domain/problem.ts'

/**
 * Checks that the signer may still sign as what the prepared signature shows.
 *
 * @throws {Problem} `capacity-not-in-force`; `preparation-expired` when their character changed: preparing again
 *   draws the new one
 */
export function mustSignAs(
  { id, character }: PreparedSignature,
  current: SigningCharacter | undefined,
): void {
  if (!current)
    throw new Problem('capacity-not-in-force', `${id} was prepared as another character`)
  if (!isDeepStrictEqual(character, current))
    throw new Problem('preparation-expired', `${id} shows another character`)
}
