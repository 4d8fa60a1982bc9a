import { MEXICAN_PLACES } from './mexican-places.ts'
import type { PasswordPattern } from './passwords/patterns.ts'
import { searchable } from './text.ts'

export const SHORTEST_PASSWORD = 15
/** Longer passwords are rejected, never truncated. */
export const LONGEST_PASSWORD = 128

/** An offline estimate of how hard a password is to guess. */
export type PasswordRating = {
  /** 0 (at once) to 4 (not within years); at least 3 is required. */
  score: 0 | 1 | 2 | 3 | 4
  /** True if it is similar to one of the most common passwords. */
  isTooCommon: boolean
  /** The single reason for its weakness, if there is one. */
  warning?: PasswordWarning
  /** What most of it is made of, if little else is left; refused whatever the score. */
  pattern?: PasswordPattern
}

export type PasswordWarning = 'keyboard' | 'repeated' | 'sequence' | 'dates' | 'names' | 'words'

/** Why a password is rejected. */
export type PasswordWeakness =
  | 'too-short'
  | 'too-long'
  | 'control-character'
  | 'same-as-before'
  | 'own-words'
  | 'too-common'
  | PasswordWarning
  | 'guessable'

/** Words that every attacker of a notary office would try. */
const WORDS_OF_ALL =
  'rubrica notaria notario notarios notarial licenciado licenciada abogado firma efirma documento escritura testimonio protocolo mexico'.split(
    ' ',
  )

const PLACES = wordsIn(MEXICAN_PLACES)

/** Characters that must remain after removing well-known words. */
const REST_OF_OWN_WORDS = 8

/** The normalized password that is hashed, independent of how a keyboard composes accents. */
export const normalizedPassword = (typed: string) => typed.normalize('NFKC')

/** Length in code points: an emoji counts once. */
const lengthOf = (password: string) => [...password].length

/**
 * Words that must not make up a password: those of every notary office, place names, and the words of these
 * texts (office, address, names). Without accents, in lower case.
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
 * The flaw of a password before any rating; undefined if there is none. Does not require upper case, digits or
 * signs, which make passwords hard to remember, not hard to guess.
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

/** Why a password is rejected; undefined if it is accepted. */
export function weaknessOf(
  typed: string,
  words: readonly string[],
  rating: PasswordRating,
): PasswordWeakness | undefined {
  const flaw = flawOf(typed, words)
  if (flaw) return flaw
  if (rating.isTooCommon) return 'too-common'
  return rating.score < 3 ? (rating.warning ?? rating.pattern ?? 'guessable') : rating.pattern
}

/*
 * True if the password consists of well-known words, such as `notaria15monterrey`. Removes the longest words
 * first.
 */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const bare = searchable(password)
  const rest = longestFirst.reduce(withoutWord, bare)
  if (rest === bare) return false
  return lengthOf(rest.replace(/[^\p{L}\p{N}]+/gu, '')) < REST_OF_OWN_WORDS
}

/* A number is removed only where it stands alone: the 12 of the office is not in 123456. */
function withoutWord(text: string, word: string): string {
  if (!/^\d+$/.test(word)) return text.replaceAll(word, ' ')
  return text.replace(new RegExp(`(?<!\\d)${word}(?!\\d)`, 'g'), ' ')
}
