import { z } from 'zod'

/** What an office may choose of a longer scale: each choice with its words, es-MX, and the value that it means. */
export type Choices<V> = {
  words: Readonly<Record<string, string>>
  /** The value of what a form sends. */
  sent: z.ZodType<V>
  /** What the form sends for a value; the empty text for one that is no choice. */
  of(value: V): string
}

export function choicesOf<V>(
  words: Readonly<Record<string, string>>,
  meant: (choice: string) => V,
): Choices<V> {
  const names = Object.keys(words)
  return {
    words,
    sent: z.enum(names).transform(meant),
    of: (value) => names.find((name) => meant(name) === value) ?? '',
  }
}
