import { searchable } from '#server/domain/identity/text.ts'
import { keyboardLineAt, keyboardWalkAt, repetitionAt, sequenceAt } from './runs.ts'

/** What most of a password is made of, if little else is left. */
export type PasswordPattern =
  | 'repeated'
  | 'too-common'
  | 'sequence'
  | 'keyboard'
  | 'dates'
  | 'own-words'
  | 'guessable'

/** Words that an attacker tries first, without accents, in lower case. */
export type KnownWords = {
  /** The most used passwords. */
  readonly common: ReadonlySet<string>
  /** Words of the office and of the person. */
  readonly own: ReadonlySet<string>
}

/** What a password must be worth, in characters that follow no pattern. */
export const LEAST_WORTH = 8
/** A word of a list of tens of thousands is as hard to guess as three letters. */
export const WORTH_OF_COMMON_WORD = 3

/** Characters that a password must have besides what it repeats: `jacaranda jacaranda` has nine. */
export const LEAST_UNREPEATED = 12
/** Shorter repetitions are in every text. */
const SHORTEST_REPETITION = 5

const SHORTEST_COMMON_WORD = 4
const SHORTEST_OWN_WORD = 3
const LONGEST_WORD = 32

/** A part of a password that is guessed as a whole. */
type Part = {
  readonly length: number
  /** As many characters without a pattern are as hard to guess. */
  readonly worth: number
  /** Undefined for a single character. */
  readonly pattern?: PasswordPattern
}

type Reading = { worth: number; parts: readonly Part[] }

/**
 * The pattern of a password that is worth less than eight characters, once a run (`aaaa`, `abcd`, `qwerty`), a
 * repetition or a year counts as one character, and a much used password as three. Undefined for all others.
 *
 * An estimate that multiplies the guesses of all parts by the ways to order them calls `Password123456789!`
 * strong: attackers try few orders.
 */
export function patternOf(password: string, words: KnownWords): PasswordPattern | undefined {
  const text = searchable(password.normalize('NFKC'))
  if (isRepetition(withoutSigns(text))) return 'repeated'
  const readings = readingsOf(text, words)
  const cheapest = readings.reduce((best, one) => (one.worth < best.worth ? one : best))
  return cheapest.worth < LEAST_WORTH ? mainPattern(cheapest.parts) : undefined
}

const withoutSigns = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether little is left without what stood before. */
function isRepetition(text: string): boolean {
  let left = 0
  let at = 0
  while (at < text.length) {
    const length = earlierAt(text, at)
    const isRepeated = length >= SHORTEST_REPETITION
    left += isRepeated ? 0 : 1
    at += isRepeated ? length : 1
  }
  return left < text.length && left < LEAST_UNREPEATED
}

/* With and without the signs between words, letters and digits apart, `aa` as `a`, `p4$$` as `pass`. */
function readingsOf(text: string, words: KnownWords): Reading[] {
  const spellings = [text, withLetters(text, 'i'), withLetters(text, 'l')]
  return spellings.flatMap((spelling) => [
    readingOf([spelling.replace(/\s+/gu, '')], words),
    ...arrangementsOf(spelling).flatMap((texts) => [
      withSigns(spelling, readingOf(texts, words)),
      withSigns(spelling, squeezedReadingOf(texts, words)),
    ]),
  ])
}

const arrangementsOf = (text: string) => [
  [withoutSigns(text)],
  [text.replace(/\P{L}+/gu, ''), text.replace(/\P{N}+/gu, '')],
]

const LETTERS: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** @param one what 1 stands for */
const withLetters = (text: string, one: 'i' | 'l') =>
  text.replace(/[03457@$1!]/g, (sign) => LETTERS[sign] ?? one)

/** Each sign that is left out counts once, wherever it stands. */
function withSigns(text: string, { worth, parts }: Reading): Reading {
  const signs = text.match(/[^\p{L}\p{N}\s]/gu) ?? []
  const different = new Set(signs).size
  const again: Part = { length: signs.length - different, worth: 0, pattern: 'repeated' }
  return { worth: worth + different, parts: [...parts, again] }
}

function readingOf(texts: readonly string[], words: KnownWords): Reading {
  const readings = texts.map((text) => cheapestReading(text, words))
  return {
    worth: readings.reduce((sum, { worth }) => sum + worth, 0),
    parts: readings.flatMap(({ parts }) => parts),
  }
}

/** `aaaa bbbb cccc` is `abc`. */
function squeezedReadingOf(texts: readonly string[], words: KnownWords): Reading {
  const squeezed = texts.map((text) => text.replace(/(.)\1+/gu, '$1'))
  const { worth, parts } = readingOf(squeezed, words)
  const left = squeezed.join('').length
  const length = texts.join('').length - left
  return { worth, parts: [...parts, { length, worth: 0, pattern: 'repeated' }] }
}

/** Divides a text into the parts that are worth least together. */
function cheapestReading(text: string, words: KnownWords): Reading {
  const worth = [0]
  const lastPart: Part[] = []
  for (let start = 0; start < text.length; start += 1)
    for (const part of partsAt(text, start, words)) {
      const end = start + part.length
      const total = (worth[start] ?? 0) + part.worth
      if (total >= (worth[end] ?? Number.POSITIVE_INFINITY)) continue
      worth[end] = total
      lastPart[end] = part
    }
  return { worth: worth[text.length] ?? 0, parts: partsBefore(lastPart, text.length) }
}

function partsBefore(lastPart: readonly Part[], end: number): Part[] {
  const parts: Part[] = []
  for (let part = lastPart[end]; part; part = lastPart[end]) {
    parts.push(part)
    end -= part.length
  }
  return parts
}

function partsAt(text: string, start: number, words: KnownWords): Part[] {
  return [
    { length: 1, worth: 1 },
    ...partOf('repeated', repetitionAt(text, start), { least: 3 }),
    ...partOf('sequence', sequenceAt(text, start), { least: 4 }),
    ...partOf('keyboard', keyboardLineAt(text, start), { least: 4 }),
    // Shorter walks are in words, such as "desde" and "redes".
    ...partOf('keyboard', keyboardWalkAt(text, start), { least: 6, worth: 2 }),
    ...partOf('repeated', earlierAt(text, start), { least: 3 }),
    ...partOf('dates', yearAt(text, start), { least: 4 }),
    ...wordsAt(text, start, words),
  ]
}

function partOf(
  pattern: PasswordPattern,
  length: number,
  { least, worth = 1 }: { least: number; worth?: number },
): Part[] {
  return length >= least ? [{ length, worth, pattern }] : []
}

/** Length of what stands at `start` and stood before. */
function earlierAt(text: string, start: number): number {
  const before = text.slice(0, start)
  let length = 0
  while (start + length < text.length && before.includes(text.slice(start, start + length + 1)))
    length += 1
  return length
}

const yearAt = (text: string, start: number) =>
  /^(?:1\d|20)\d\d/.test(text.slice(start, start + 4)) ? 4 : 0

function wordsAt(text: string, start: number, { common, own }: KnownWords): Part[] {
  const parts: Part[] = []
  const longest = Math.min(LONGEST_WORD, text.length - start)
  for (let length = SHORTEST_OWN_WORD; length <= longest; length += 1) {
    const word = text.slice(start, start + length)
    if (own.has(word)) parts.push({ length, worth: 1, pattern: 'own-words' })
    if (length >= SHORTEST_COMMON_WORD && (common.has(word) || common.has(reversed(word))))
      parts.push({ length, worth: WORTH_OF_COMMON_WORD, pattern: 'too-common' })
  }
  return parts
}

const reversed = (text: string) => [...text].reverse().join('')

/** If two cover as much, the first that a user would name. */
const BY_NAME: readonly PasswordPattern[] = [
  'repeated',
  'too-common',
  'keyboard',
  'sequence',
  'own-words',
  'dates',
]

function mainPattern(parts: readonly Part[]): PasswordPattern {
  const lengthOf = (pattern: PasswordPattern) =>
    parts.reduce((sum, part) => sum + (part.pattern === pattern ? part.length : 0), 0)
  const [longest = 'guessable'] = BY_NAME.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return lengthOf(longest) > 0 ? longest : 'guessable'
}
