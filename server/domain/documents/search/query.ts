import { parseVerificationCode } from '#server/domain/documents/verification-code.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { datesIn } from './dates.ts'
import { spaced, wordsIn } from './folded.ts'

/** What a search asks of the text of a document, see `documentText`. */
export type Search = {
  /** Of each group one must occur in the text; each has three letters at least. */
  groups: readonly (readonly string[])[]
  /** The same as whole words: documents that have all of them come first. */
  exact: readonly string[]
}

/** One thing that a search asks for. */
type Term = {
  words: readonly string[]
  /** As it occurs in the text: `nunez`, ` es` at the start of a word, ` 118 ` as a whole word. */
  needle: string
}

/** Undefined if there is nothing to look for. */
export function parseSearch(text: string): Search | undefined {
  const terms = termsOf(text)
  if (terms.length === 0) return undefined
  return {
    groups: terms.map(({ needle }) => [needle]),
    exact: terms.map(({ words }) => spaced(words)),
  }
}

/** The words of a search in which one letter may be wrong: five letters and more, never a number or code. */
export const inexactWordsOf = (text: string): string[] =>
  termsOf(text).flatMap(({ words: [word = ''], needle }) =>
    needle === word && isInexact(word) ? [word] : [],
  )

const isInexact = (word: string) => /^\p{L}{5,}$/u.test(word)

/**
 * The search with similar words in place of those that were asked for; undefined if there are none.
 *
 * @param similar words that occur in documents, by the word that was asked for
 */
export function withSimilarWords(
  text: string,
  similar: ReadonlyMap<string, readonly string[]>,
): Search | undefined {
  const terms = termsOf(text)
  const groups = terms.map(({ words: [word = ''], needle }) =>
    needle === word ? [needle, ...(similar.get(word) ?? []).map((one) => spaced([one]))] : [needle],
  )
  if (groups.every(({ length }) => length === 1)) return undefined
  return { groups, exact: terms.map(({ words }) => spaced(words)) }
}

function termsOf(text: string): Term[] {
  const code = parseVerificationCode(text)
  if (code) return [wholeWords(wordsIn(code))]
  const { dates, rest } = datesIn(text)
  const chunks = rest
    .split(/\s+/)
    .filter((chunk, index, all) => !announcesNumber(chunk, all[index + 1]))
  const written = chunks.flatMap((chunk) => termIn(chunk) ?? [])
  const terms = [...written, ...dates.map(wholeWords)]
  const telling = terms.filter(
    ({ words: [word = '', ...more] }) => more.length > 0 || !isLink(word),
  )
  return telling.length > 0 ? telling : terms
}

/** Whether the chunk only announces a number, as in `número 4521` or `n.º 4521`: a document has the number, but rarely the word. */
const announcesNumber = (chunk: string, next = ''): boolean =>
  /^\d/.test(next) && /^n(?:umero|um|ro|o|º|°)$/.test(chunk.replace(/[.:]/g, ''))

/** Words that people write between others, and a title may lack: `compraventa de José Núñez`. */
const LINKS = ['a', 'al', 'con', 'de', 'del', 'e', 'el', 'en', 'la', 'las', 'los', 'por', 'y']
const isLink = (word: string): boolean => LINKS.includes(word)

const wholeWords = (words: readonly string[]): Term => ({ words, needle: spaced(words) })

/** @param chunk what stands between two spaces */
function termIn(chunk: string): Term | undefined {
  const known = folioIn(chunk) ?? rfcIn(chunk)
  if (known) return wholeWords(known)
  const words = wordsIn(chunk)
  const [word = ''] = words
  if (words.length > 1) return { words, needle: ` ${words.join(' ')}` }
  if (word === '') return undefined
  const letters = [...word].length
  if (letters === 1) return wholeWords(words)
  return { words, needle: letters === 2 ? ` ${word}` : word }
}

/** `2026-123` → `2026 000123` */
function folioIn(chunk: string): string[] | undefined {
  const [, year, number] = /^(\d{4})-(\d{1,6})$/.exec(chunk) ?? []
  return year && number ? [year, number.padStart(6, '0')] : undefined
}

/** `NUPM-800101-AB1` → `nupm800101ab1` */
function rfcIn(chunk: string): string[] | undefined {
  const bare = searchable(chunk).replaceAll('-', '')
  return chunk.includes('-') && /^[a-z]{3,4}\d{6}[a-z0-9]{3}$/.test(bare) ? [bare] : undefined
}
