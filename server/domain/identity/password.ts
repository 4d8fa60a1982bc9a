import { MEXICAN_PLACES } from './mexican-places.ts'
import { searchable } from './text.ts'

export const SHORTEST_PASSWORD = 15
/** Longer ones are refused, never cut. */
export const LONGEST_PASSWORD = 128

/** How hard a password is to guess, as an offline estimate says. */
export type PasswordRating = {
  /** 0 (at once) to 4 (not within years); 3 is the least that is taken. */
  score: 0 | 1 | 2 | 3 | 4
  /** It is, but for little, one of the passwords that everyone tries first. */
  isTooCommon: boolean
  /** What makes it weak, where one thing does. */
  warning?: PasswordWarning
}

export type PasswordWarning = 'keyboard' | 'repeated' | 'sequence' | 'dates' | 'names' | 'words'

/** Why a password is not taken. */
export type PasswordWeakness =
  | 'too-short'
  | 'too-long'
  | 'control-character'
  | 'same-as-before'
  | 'own-words'
  | 'too-common'
  | PasswordWarning
  | 'guessable'

/** Words that every attacker of a notary office tries. */
const WORDS_OF_ALL =
  'rubrica notaria notario notarios notarial licenciado licenciada abogado firma efirma documento escritura testimonio protocolo mexico'.split(
    ' ',
  )

const PLACES = wordsIn(MEXICAN_PLACES)

/** So much must remain when the words that everyone knows are taken away. */
const REST_OF_OWN_WORDS = 8

/** What is hashed: however a keyboard composes an accent, the same password. */
export const normalizedPassword = (typed: string) => typed.normalize('NFKC')

/** Characters as people count them: an emoji is one, not two. */
const lengthOf = (password: string) => [...password].length

/**
 * Words that a password must not be made of: those of every notary office, the places of the country, and
 * those that these texts (the office's name and place, the person's names and address) are made of. Without
 * accents, in lower case.
 */
export function contextWords(texts: readonly (string | number)[]): string[] {
  const own = wordsIn(texts)
  return [...new Set([...WORDS_OF_ALL, ...PLACES, ...own])].filter((word) => word !== '')
}

function wordsIn(texts: readonly (string | number)[]): string[] {
  const words = texts.flatMap((text) => searchable(String(text)).split(/[^\p{L}\p{N}]+/u))
  return words.filter((word) => word.length >= 3 || /^\d+$/.test(word))
}

/**
 * What a password lacks by itself, before anything is computed; undefined when nothing. Upper case, digits
 * and signs are not asked for: they make passwords hard to remember, not hard to guess.
 *
 * @see NIST SP 800-63B-4, 3.1.1.2
 */
export function flawOf(typed: string, words: readonly string[]): PasswordWeakness | undefined {
  const password = normalizedPassword(typed)
  if (lengthOf(password) < SHORTEST_PASSWORD) return 'too-short'
  if (lengthOf(password) > LONGEST_PASSWORD) return 'too-long'
  if (/\p{Cc}/u.test(password) || !password.isWellFormed()) return 'control-character'
  if (isMadeOf(password, words)) return 'own-words'
  return undefined
}

/** Why a password is refused, or undefined when it is taken. */
export function weaknessOf(
  typed: string,
  words: readonly string[],
  rating: PasswordRating,
): PasswordWeakness | undefined {
  const flaw = flawOf(typed, words)
  if (flaw) return flaw
  if (rating.score >= 3 && !rating.isTooCommon) return undefined
  return rating.isTooCommon ? 'too-common' : (rating.warning ?? 'guessable')
}

/* `notaria15monterrey`: nothing of it but what stands on the door. The longest words go first. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const bare = searchable(password)
  const rest = longestFirst.reduce(withoutWord, bare)
  if (rest === bare) return false
  return lengthOf(rest.replace(/[^\p{L}\p{N}]+/gu, '')) < REST_OF_OWN_WORDS
}

/* A number counts where it stands alone: the 12 of the office is not in 123456. */
function withoutWord(text: string, word: string): string {
  if (!/^\d+$/.test(word)) return text.replaceAll(word, ' ')
  return text.replace(new RegExp(`(?<!\\d)${word}(?!\\d)`, 'g'), ' ')
}
