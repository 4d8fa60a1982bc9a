import { z } from 'zod'

const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text)

/**
 * One line of text as a person types it: NFC, trimmed, inner white space made single. Control characters
 * are refused; PostgreSQL cannot store NUL, and the others can only deceive. So is half of a character:
 * the log could not keep it.
 */
export function line(max: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !hasControlCharacter(text), 'not a text')
    .transform((text) => text.normalize('NFC').trim().replace(/\s+/gu, ' '))
    .pipe(z.string().min(1).max(max))
}

/** The text that search compares: without accents, in lower case. `Año Íntimo` → `ano intimo`. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Several lines of text as a person types them: as `line`, but lines and blank lines stay. */
export function paragraphs(max: number) {
  return z
    .string()
    .transform((text) => text.replace(/\r\n?/g, '\n'))
    .refine(
      (text) => text.isWellFormed() && !hasControlCharacter(text.replace(/[\n\t]/g, ' ')),
      'not a text',
    )
    .transform((text) => text.normalize('NFC').trim())
    .pipe(z.string().max(max))
}
