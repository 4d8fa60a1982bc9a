import { z } from 'zod'
import {
  DeclaredCharacters,
  officeCharacterOf,
  type SigningCharacter,
} from '#server/domain/identity/signing-character.ts'
import { searchable } from '#server/domain/identity/text.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'

/** As what a session asks a person to sign. */
export const RequestedCharacter = z.discriminatedUnion('kind', [
  /** As their role and capacity say on the day of signing. */
  z.strictObject({ kind: z.literal('office') }),
  z.strictObject({ kind: z.literal('declared'), texts: DeclaredCharacters.readonly() }),
  /** A text of an earlier release that is no declared character. It cannot be signed with. */
  z.strictObject({ kind: z.literal('refused'), text: z.string() }),
])
export type RequestedCharacter = z.infer<typeof RequestedCharacter>

/** More would not fit the field of a signature. */
export const MOST_CHARACTERS = 3

export const OF_OFFICE: RequestedCharacter = { kind: 'office' }

/** Reads the character of a signer's row: null, or one declared text a line. */
export function requestedCharacterFrom(written: string | null): RequestedCharacter {
  if (written === null) return OF_OFFICE
  const texts = DeclaredCharacters.safeParse(written.split('\n'))
  return texts.success
    ? { kind: 'declared', texts: texts.data }
    : { kind: 'refused', text: written }
}

export function writtenCharacter(asked: RequestedCharacter): string | null {
  if (asked.kind === 'office') return null
  return asked.kind === 'declared' ? asked.texts.join('\n') : asked.text
}

/**
 * As what the signer signs at `now`; undefined if they cannot sign.
 *
 * @param account undefined for an external signer, who has no office character
 */
export function characterAt(
  asked: RequestedCharacter,
  account: User | undefined,
  now: Instant,
): SigningCharacter | undefined {
  if (asked.kind === 'declared') return asked
  return asked.kind === 'office' && account ? officeCharacterOf(account, now) : undefined
}

/**
 * Both characters of one person who is asked twice: they sign once, as both. Undefined if the second says nothing
 * new or the two do not go together: who signs by their office does not sign as a party with the same signature.
 */
export function withCharacter(
  asked: RequestedCharacter,
  more: RequestedCharacter,
): Extract<RequestedCharacter, { kind: 'declared' }> | undefined {
  if (asked.kind !== 'declared' || more.kind !== 'declared') return undefined
  const known = new Set(asked.texts.map(searchable))
  const added = more.texts.filter((text) => !known.has(searchable(text)))
  if (added.length === 0 || asked.texts.length + added.length > MOST_CHARACTERS) return undefined
  const [first, ...others] = asked.texts
  return { kind: 'declared', texts: [first, ...others, ...added] }
}
