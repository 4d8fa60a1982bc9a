import { z } from 'zod'
import type { Instant } from '#server/domain/time.ts'
import { claimsNotarialOffice } from './notarial-claim.ts'
import { line } from './text.ts'
import { Capacity, type User } from './user.ts'

/** Other letters, pictures and invisible signs can imitate any word; Spanish needs none of them. */
const isInLatinLetters = (text: string) =>
  /^[\p{Script=Latin}\p{M}\p{Nd}\p{P}\p{Zs}$+|°]*$/u.test(text)

const isVisible = (text: string) => !/\p{Default_Ignorable_Code_Point}/u.test(text)

/**
 * As what a party says that they sign: `Compradora`, `Testigo`. Never the office of a notary, which only a
 * person's capacity gives.
 */
export const DeclaredCharacter = z
  .string()
  .refine(isVisible, 'invisible signs')
  .pipe(line(80))
  .refine((text) => !claimsNotarialOffice(text), 'claims a notarial office')
  .refine(isInLatinLetters, 'other letters')
  .brand<'DeclaredCharacter'>()
export type DeclaredCharacter = z.infer<typeof DeclaredCharacter>

/** The characters of one party, who may sign for themselves and for others; at least one. */
export const DeclaredCharacters = z.tuple([DeclaredCharacter], DeclaredCharacter)
export type DeclaredCharacters = readonly [DeclaredCharacter, ...DeclaredCharacter[]]

/** As what a person signs. Only the office's record of the person gives the first two. */
export const SigningCharacter = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('notarial'), capacity: Capacity }),
  z.strictObject({ kind: z.literal('lawyer') }),
  z.strictObject({ kind: z.literal('declared'), texts: DeclaredCharacters.readonly() }),
])
export type SigningCharacter = z.infer<typeof SigningCharacter>

type Signer = Pick<User, 'roles' | 'capacity' | 'capacityFrom' | 'capacityTo'>

/**
 * As what a person of the office signs at `now` by their role and capacity. Undefined if neither lets them sign:
 * a notary without a capacity in force gives no notarial signature.
 */
export function officeCharacterOf(signer: Signer, now: Instant): SigningCharacter | undefined {
  const { roles, capacity } = signer
  if (roles.includes('NOTARY') && capacity && isInForce(signer, now))
    return { kind: 'notarial', capacity }
  return roles.includes('LAWYER') ? { kind: 'lawyer' } : undefined
}

function isInForce({ capacityFrom, capacityTo }: Signer, now: Instant): boolean {
  return (
    (capacityFrom === null || capacityFrom <= now) && (capacityTo === null || now <= capacityTo)
  )
}
