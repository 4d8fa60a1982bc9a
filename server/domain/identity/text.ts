import { z } from 'zod'
import { shownLines, shownText } from '#server/domain/text/shown-text.ts'

const hasControlCharacter = (text: string) => /\p{Cc}/u.test(text)

/**
 * One line of user input as it is shown: NFC, trimmed, white space collapsed, without invisible characters, which
 * are pasted by accident and can only deceive. Rejects control characters, because PostgreSQL cannot store NUL, and
 * lone surrogates, which the log cannot store.
 */
export function line(max: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !hasControlCharacter(text), 'not a text')
    .transform(shownOrUnknown)
    .pipe(z.string().min(1).max(max))
}

/** A stored text, which an earlier release may have stored as it was written. */
export const Shown = z.string().transform(shownLines)

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
    .transform((text) => shownLines(text).trim())
    .pipe(z.string().max(max))
}

/** A stored text that has nothing to show stays readable: rows of earlier releases are read with the same schema. */
function shownOrUnknown(text: string): string {
  const shown = shownText(text, Number.POSITIVE_INFINITY)
  return shown === '' && text.trim() !== '' ? '\ufffd' : shown
}
