import { searchable } from '#server/domain/identity/text.ts'

/**
 * The words of a text as the search compares them: without accents, in lower case, thousands without a comma.
 * `Escritura 4,521 · Núñez` → `escritura`, `4521`, `nunez`.
 */
export const wordsIn = (text: string): string[] =>
  withPlainNumbers(searchable(text)).match(/[\p{L}\p{N}]+/gu) ?? []

/** Between words, and at both ends, so that a search can ask for the start and the end of a word. */
export const spaced = (words: readonly string[]): string => ` ${words.join(' ')} `

const withPlainNumbers = (text: string): string =>
  text.replace(/(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])/g, (number) => number.replaceAll(',', ''))
