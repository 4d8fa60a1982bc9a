import { z } from 'zod'
import { LATIN_LETTERS, NOTARIAL_CLAIM } from '#app/messages/labels.ts'
import { claimsNotarialOffice } from '#server/domain/identity/notarial-claim.ts'
import { line } from '#server/domain/identity/text.ts'

/**
 * A declared character in a form: says why one that can be read is refused.
 *
 * @param sentence for a text that is missing or too long
 */
export const declaredCharacter = <S extends z.ZodType>(schema: S, sentence: string) =>
  z.unknown().transform((value, context): z.output<S> => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    context.addIssue(faultOfCharacter(value, sentence))
    return z.NEVER
  })

/** Why the text is no declared character. */
export function faultOfCharacter(value: unknown, sentence: string): string {
  const text = typeof value === 'string' ? value : ''
  if (claimsNotarialOffice(text)) return NOTARIAL_CLAIM
  return line(80).safeParse(text).success ? LATIN_LETTERS : sentence
}
