import { z } from 'zod'

/** A select list of a few values: each with its es-MX label. */
export type Choices<V> = {
  words: Readonly<Record<string, string>>
  /** Parses the submitted text. */
  sent: z.ZodType<V>
  /** Returns the submitted text for a value; empty if it is not in the list. */
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
