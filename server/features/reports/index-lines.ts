import { findDocuments, findInstrumentDays } from '#server/db/documents/documents.ts'
import {
  findEntry,
  listEntriesBefore,
  listEntriesIn,
  type OfSeries,
} from '#server/db/documents/numbers/number-entries.ts'
import { listNumberTexts, type NumberText } from '#server/db/documents/numbers/number-texts.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { NumberEntry, NumberRange } from '#server/domain/documents/numbers/number-entry.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { instantOf } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'

/* How the lines of the index of instruments are read. */

type IndexedDocument = Pick<Document, 'id' | 'folio' | 'title' | 'state' | 'instrument'>

/** A number, a range of numbers without instruments, or a text in place of a number, with the document that has or had it. */
export type IndexLine =
  | { kind: 'entry'; entry: NumberEntry; document: IndexedDocument | null }
  | { kind: 'text'; text: NumberText; document: IndexedDocument | null }

/** Whole documents: each has up to sixty parties. */
export const STEP = 100

/** The first and the last day of the instruments; all if absent. */
export type Days = { from?: Day | undefined; to?: Day | undefined }

export const hasDays = ({ from, to }: Days) => from !== undefined || to !== undefined

const areDaysOf = ({ from, to }: Days, day: string | null) =>
  day !== null && (from === undefined || from <= day) && (to === undefined || day <= to)

export type Listing = {
  range: NumberRange
  /** Instruments with a text in place of a number follow those with one. */
  withTexts: boolean
  step: number
  days: Days
}

export async function* linesOf(
  db: Reader,
  of: OfSeries,
  listing: Listing,
): AsyncGenerator<IndexLine> {
  const letOthersRun = turnTaker()
  let place: IndexPlace | undefined = await indexBeginning(db, of, listing.range, listing.days)
  while (place) {
    const stretch: IndexStretch = await linesBehind(db, of, { ...listing, place })
    yield* stretch.lines
    await letOthersRun()
    place = stretch.next
  }
}

/** Where a listing of the index stands. Plain values. */
export type IndexPlace =
  /** `day`: of the last instrument before; null before the first. */
  | { kind: 'entries'; first: number; day?: string | null | undefined }
  | { kind: 'texts'; behind: { at: number; id: string } | undefined }

/** Where a listing of a range begins: behind the number before it, whose day counts although it is not of the range. */
export async function indexBeginning(
  db: Reader,
  of: OfSeries,
  { first }: NumberRange,
  days: Days,
): Promise<IndexPlace> {
  return { kind: 'entries', first, day: hasDays(days) ? await dayBefore(db, of, first) : null }
}

/** The day of the nearest instrument before this number; null if none of the last `STEP` lines has one. */
async function dayBefore(db: Reader, of: OfSeries, number: number): Promise<string | null> {
  const entries = await listEntriesBefore(db, of, number, STEP)
  const ids = entries.flatMap(({ documentId }) => documentId ?? [])
  const known = await inTurns(ids, (some) => findInstrumentDays(db, some))
  const nearest = ids.find((id) => known.has(id))
  return (nearest && known.get(nearest)) ?? null
}

export type IndexStretch = { lines: IndexLine[]; next: IndexPlace | undefined }

/** The next lines of the index. */
export async function linesBehind(
  db: Reader,
  of: OfSeries,
  asked: Listing & { place: IndexPlace },
): Promise<IndexStretch> {
  const { place, range, withTexts, step, days } = asked
  if (place.kind === 'texts') {
    const { lines, next } = await textsBehind(db, of, place.behind, step)
    const isAsked = ({ document }: IndexLine) => areDaysOf(days, document?.instrument?.date ?? null)
    return { lines: hasDays(days) ? lines.filter(isAsked) : lines, next }
  }
  const entries = await entriesIn(db, of, { ...range, first: place.first }, step)
  const chosen = hasDays(days)
    ? await entriesOfDays(db, entries, days, place.day ?? null)
    : { entries, day: null }
  const lines = await entryLines(db, chosen.entries)
  const last = entries.at(-1)
  if (last && entries.length >= step)
    return { lines, next: { kind: 'entries', first: last.last + 1, day: chosen.day } }
  return { lines, next: withTexts ? { kind: 'texts', behind: undefined } : undefined }
}

/** The numbers of these days. One without a day, as one that is missing, counts on that of the number before it. */
async function entriesOfDays(
  db: Reader,
  entries: readonly NumberEntry[],
  days: Days,
  before: string | null,
) {
  // What a document was that left its number is no part of the index any more.
  const ids = entries.flatMap(({ documentId }) => documentId ?? [])
  const known = await inTurns(ids, (some) => findInstrumentDays(db, some))
  let day = before
  const kept = entries.filter(({ documentId }) => {
    day = (documentId && known.get(documentId)) ?? day
    return areDaysOf(days, day)
  })
  return { entries: kept, day }
}

async function textsBehind(
  db: Reader,
  of: OfSeries,
  behind: { at: number; id: string } | undefined,
  step: number,
): Promise<IndexStretch> {
  const cursor = behind && { at: instantOf(behind.at), id: DocumentId.parse(behind.id) }
  const texts = await listNumberTexts(db, of, { behind: cursor, limit: step })
  const lines = await textLines(db, texts)
  const last = texts.at(-1)
  const isOver = !last || texts.length < step
  return {
    lines,
    next: isOver ? undefined : { kind: 'texts', behind: { at: last.at, id: last.documentId } },
  }
}

/** The lines with a number of the range; of one that begins before it or ends behind it, the part that is asked for. */
export async function entriesIn(
  db: Reader,
  of: OfSeries,
  { first, last }: NumberRange,
  limit: number,
): Promise<NumberEntry[]> {
  if (first > last) return []
  const begin = (await findEntry(db, of, first))?.first ?? first
  const entries = await listEntriesIn(db, of, { first: begin, last }, limit)
  return entries.map((entry) => ({
    ...entry,
    first: Math.max(entry.first, first),
    last: Math.min(entry.last, last),
  }))
}

export async function entryLines(
  db: Reader,
  entries: readonly NumberEntry[],
): Promise<IndexLine[]> {
  const idOf = ({ documentId, leftBy }: NumberEntry) => documentId ?? leftBy
  const ids = entries.flatMap((entry) => idOf(entry) ?? [])
  const documents = await inTurns(ids, (some) => findDocuments(db, some))
  return entries.map((entry) => {
    const id = idOf(entry)
    return { kind: 'entry', entry, document: (id && documents.get(id)) ?? null }
  })
}

/**
 * Few at a time: other requests run in between, and SQLite uses the key. For a hundred it reads the whole table while its statistics are of
 * an office with few documents.
 */
const AT_ONCE = 20

async function inTurns<T>(
  ids: readonly DocumentId[],
  read: (some: readonly DocumentId[]) => Promise<ReadonlyMap<DocumentId, T>>,
): Promise<Map<DocumentId, T>> {
  const letOthersRun = turnTaker()
  const found = new Map<DocumentId, T>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    for (const [id, one] of await read(ids.slice(at, at + AT_ONCE))) found.set(id, one)
    await letOthersRun()
  }
  return found
}

async function textLines(db: Reader, texts: readonly NumberText[]): Promise<IndexLine[]> {
  const ids = texts.map(({ documentId }) => documentId)
  const documents = await inTurns(ids, (some) => findDocuments(db, some))
  return texts.map((text) => ({
    ...{ kind: 'text', text, document: documents.get(text.documentId) ?? null },
  }))
}
