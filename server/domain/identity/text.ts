import { z } from 'zod'

const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text)

/**
 * One line of user input: NFC, trimmed, white space collapsed. Rejects control characters, because PostgreSQL
 * cannot store NUL and the others can only deceive, and lone surrogates, which the log cannot store.
 */
export function line(max: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !hasControlCharacter(text), 'not a text')
    .transform((text) => text.normalize('NFC').trim().replace(/\s+/gu, ' '))
    .pipe(z.string().min(1).max(max))
}

/** Normalized for search: without accents, in lower case. `Año Íntimo` → `ano intimo`. */
export function searchable(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Several lines of user input: as `line`, but keeps line breaks and blank lines. */
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
