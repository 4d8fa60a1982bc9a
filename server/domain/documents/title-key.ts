import { wordsIn } from './search/folded.ts'

/** In letters; titles that begin with the same ones stand together in any order. */
const LONGEST = 100
/** `wordsIn` reads numbers of more digits, too; they stand behind all others. */
const DIGITS = 12

/**
 * What titles are sorted by, byte by byte, so that all databases sort them alike: without accents and case, numbers by their value.
 * `Núm. 4,521` → `num 000000004521`.
 */
export const titleKey = (title: string): string =>
  wordsIn(title)
    .join(' ')
    .replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'))
    .slice(0, LONGEST)
