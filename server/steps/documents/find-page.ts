import { listNumbered } from '#server/db/documents/document-lists.ts'
import { areTextsDue, findFirstNumber, firstNumberOf } from '#server/db/documents/document-texts.ts'
import { isFull, searchRange } from '#server/db/documents/search-texts.ts'
import { findSimilarWords } from '#server/db/documents/search-words.ts'
import type { Document } from '#server/domain/documents/document.ts'
import {
  type SearchCursor,
  searchCursorText,
} from '#server/domain/documents/search/document-cursor.ts'
import {
  inexactWordsOf,
  parseSearch,
  type Search,
  withSimilarWords,
} from '#server/domain/documents/search/query.ts'
import { after, days, milliseconds } from '#server/domain/time.ts'
import type { DocumentPage, PageQuery } from '#server/steps/documents/document-page.ts'
import { listPage } from '#server/steps/documents/list-page.ts'
import { othersRun } from '#server/steps/documents/others-run.ts'
import type { System } from '#server/system.ts'

/** How long a search may take, without its wait for others: the whole page then takes less than 150 ms. */
const PATIENCE = milliseconds(110)
const FIRST_SPAN = firstNumberOf(days(64))
/** A span is followed by one at most so many times as long. */
const GROWTH = 8
const GROWTH_AFTER_GIVING_UP = 2
/** Too short a time for another span. */
const SHORT = milliseconds(5)
const EVERYTHING = Number.MAX_SAFE_INTEGER
/** Texts that are written within seconds. */
const FEW_DUE = 200
/** Further words of a search are not corrected. */
const MOST_CORRECTED = 4

/**
 * A page of documents, of all or of those that a search finds. Takes a bounded time in an office of any size: a search looks
 * at the documents from the newest to the oldest, and says where it stopped.
 */
export async function findPage(
  system: Pick<System, 'db' | 'clock'>,
  query: PageQuery,
): Promise<DocumentPage> {
  const search = parseSearch(query.text ?? '')
  if (!query.text?.trim()) return await listPage(system, query)
  if (!search) return { ...NOTHING, isIncomplete: false }
  const isIncomplete = await areTextsDue(system.db, { moreThan: FEW_DUE })
  const behind = searchCursorIn(query)
  if (behind?.among !== 'similar') {
    const page = await searchPage(
      system,
      query,
      search,
      behind ?? { among: 'exact', below: EVERYTHING },
    )
    const isAnswer = behind || page.documents.length > 0 || page.wasCutShort
    if (isAnswer) return { ...page, areSimilar: false, isIncomplete }
  }
  const similar = await similarSearch(system, query)
  if (!similar) return { ...NOTHING, isIncomplete }
  const start = behind ?? { among: 'similar', below: EVERYTHING }
  return { ...(await searchPage(system, query, similar, start)), areSimilar: true, isIncomplete }
}

/** A cursor of a list is ignored. */
const searchCursorIn = ({ behind }: PageQuery): SearchCursor | undefined =>
  typeof behind === 'object' && 'among' in behind ? behind : undefined

const NOTHING = { documents: [], next: undefined, areSimilar: false, wasCutShort: false }

/** The search with words of the office in place of those that have a wrong letter; undefined if there are none. */
async function similarSearch(
  { db }: Pick<System, 'db'>,
  { officeId, text = '' }: PageQuery,
): Promise<Search | undefined> {
  const similar = new Map<string, string[]>()
  for (const word of inexactWordsOf(text).slice(0, MOST_CORRECTED))
    similar.set(word, await findSimilarWords(db, officeId, word))
  return withSimilarWords(text, similar)
}

/**
 * Looks at one span of time after the other, until the page is full or the time is over. The texts are read apart from the
 * request thread; others run between two spans.
 */
async function searchPage(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  query: PageQuery,
  search: Search,
  start: SearchCursor,
): Promise<Pick<DocumentPage, 'documents' | 'next' | 'wasCutShort'>> {
  const { officeId, from: since, to: until, limit } = query
  // A day later than now: the clock of another machine may be ahead.
  const latest = firstNumberOf(after(clock.now(), days(1)))
  const newest = until === undefined ? latest : Math.min(latest, firstNumberOf(until + 1))
  const first = (await findFirstNumber(db, officeId)) ?? newest
  const oldest = since === undefined ? first : Math.max(first, firstNumberOf(since))
  const found: Found[] = []
  let { span = FIRST_SPAN, ...at }: SearchCursor = start
  const wasGivenUp = start.span !== undefined
  const growth = wasGivenUp ? GROWTH_AFTER_GIVING_UP : GROWTH
  let left = PATIENCE
  while (left > SHORT) {
    const below = Math.min(at.below, newest)
    const from = Math.max(oldest, below - span)
    const isExact = at.among === 'exact'
    const range = { officeId, search, isExact, wasGivenUp, from, below }
    const read = await searchRange(db, range, left)
    if (!read) return { ...pageOf(found), next: inShorterSpan(at, below - from), wasCutShort: true }
    const { numbers } = read
    const rows = await listNumbered(db, { ...query, numbers })
    const took = read.took + numbers.length * comparingOne(query)
    found.push(...rows.map((row) => ({ ...row, among: at.among })))
    if (found.length > limit) return pageOf(found.slice(0, limit), wasGivenUp ? span : undefined)
    const reached = isFull(numbers) ? (numbers.at(-1) ?? from) : from
    left = milliseconds(left - took)
    if (reached > oldest) {
      // At this pace the next span takes half of the time that is left: where there are more texts, it takes longer.
      at = { ...at, below: reached }
      span = Math.max(1, Math.floor((below - reached) * Math.min(growth, left / 2 / took)))
    } else if (isExact) [at, span] = [{ among: 'other', below: EVERYTHING }, FIRST_SPAN]
    else return { ...pageOf(found), next: undefined }
    await othersRun()
  }
  const next = searchCursorText(wasGivenUp ? { ...at, span } : at)
  return { ...pageOf(found), next, wasCutShort: true }
}

/** In ms, some: to read a document that was found, and to look for a session or a signer of it. Not measured: a busy machine finds as much. */
const comparingOne = ({ signer, signingSession }: PageQuery): number =>
  signer || signingSession ? 0.15 : 0.01

/** The cursor after a span that took too long: the next request starts with a shorter one, or it would fail in the same way. */
const inShorterSpan = (at: SearchCursor, span: number): string =>
  searchCursorText({ ...at, span: Math.max(1, Math.floor(span / GROWTH)) })

type Found = { number: number; document: Document; among: SearchCursor['among'] }

/**
 * The next page goes on behind the last document of this one, where that was found.
 *
 * @param span of a search that was given up before: the next page must not begin as that one did
 */
function pageOf(found: readonly Found[], span?: number) {
  const last = found.at(-1)
  return {
    documents: found.map(({ document }) => document),
    next: last && searchCursorText({ among: last.among, below: last.number, span }),
    wasCutShort: false,
  }
}
