import { z } from 'zod'
import { findDocuments, findInstrumentDays } from '#server/db/documents/documents.ts'
import {
  findEntry,
  listEntriesIn,
  type OfSeries,
} from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, listSeries } from '#server/db/documents/numbers/number-series.ts'
import { listNumberTexts, type NumberText } from '#server/db/documents/numbers/number-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { Day } from '#server/domain/day.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { NumberEntry, NumberRange } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { DocumentId, NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Instant, instantOf } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { MOST_ROWS_AT_ONCE } from './read-report.ts'

export const ReadInstrumentIndex = z.object({
  /** Of the instruments if absent. */
  seriesId: NumberSeriesId.optional(),
  /** The first and the last number; all if absent. */
  first: SeriesNumber.optional(),
  last: SeriesNumber.optional(),
  /** The first and the last day of the instruments; all if absent. What has no day counts on that of the number before it. */
  from: Day.optional(),
  to: Day.optional(),
  /** The `next` of the previous page. */
  behind: SeriesNumber.optional(),
})
export type ReadInstrumentIndex = z.infer<typeof ReadInstrumentIndex>

type IndexedDocument = Pick<Document, 'id' | 'folio' | 'title' | 'state' | 'instrument'>

/** A number, a range of numbers without instruments, or a text in place of a number, with the document that has or had it. */
export type IndexLine =
  | { kind: 'entry'; entry: NumberEntry; document: IndexedDocument | null }
  | { kind: 'text'; text: NumberText; document: IndexedDocument | null }

export type InstrumentIndex = {
  series: NumberSeries[]
  shown: NumberSeries
  lines: IndexLine[]
  /** Whether instruments have a text in place of a number: they are in no page. */
  hasTexts: boolean
  /** The `behind` of the next page; undefined on the last page. */
  next: number | undefined
  /** Whether more numbers would have to be read for the days than a request may: there are no lines. */
  isTooLong: boolean
}

/**
 * A page of the index of instruments, in the order of their numbers, with the numbers that no instrument has.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for an unknown series
 * @see Ley del Notariado para la Ciudad de México, art. 97
 */
export async function readInstrumentIndex(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  { size = 50, most = MOST_ROWS_AT_ONCE, ...asked }: ReadInstrumentIndex & Lengths,
): Promise<InstrumentIndex> {
  const { seriesId = INSTRUMENT_SERIES, behind = 0 } = asked
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const series = await listSeries(db, officeId)
  const shown = series.find(({ id }) => id === seriesId)
  if (!shown) throw new Problem('not-found', `no series ${seriesId}`)
  const of = { officeId, seriesId }
  const range = rangeOf(asked)
  const rest = { ...range, first: Math.max(range.first, behind + 1) }
  const page = hasDays(asked)
    ? await pageOfDays(db, of, { ...asked, range: rest, size, most })
    : await pageOf(db, of, rest, size)
  const texts = await listNumberTexts(db, of, { behind: undefined, limit: 1 })
  await eventQueue.append(eventOf('report.read', actor, at, shown, { ...asked, ...rest }))
  return {
    ...{ series, shown, hasTexts: texts.length > 0, isTooLong: page === null },
    ...(page ?? NO_LINES),
  }
}

type Lengths = {
  /** Lines of a page. */
  size?: number
  /** Numbers that are read for the days of a page. */
  most?: number
}

type Page = Pick<InstrumentIndex, 'lines' | 'next'>

const NO_LINES: Page = { lines: [], next: undefined }

async function pageOf(db: Reader, of: OfSeries, range: NumberRange, size: number): Promise<Page> {
  const entries = await entriesIn(db, of, range, size + 1)
  const lines = await entryLines(db, entries.slice(0, size))
  return { lines, next: entries.length > size ? entries[size - 1]?.last : undefined }
}

/** Reads the numbers one after the other: the day is a fact of the document. @returns null if there are too many */
async function pageOfDays(
  db: Reader,
  of: OfSeries,
  asked: Days & Required<Lengths> & { range: NumberRange; behind?: number | undefined },
): Promise<Page | null> {
  const { range, size, most } = asked
  const letOthersRun = turnTaker()
  const lines: IndexLine[] = []
  // A page goes on behind a line of these days.
  const day = asked.behind === undefined ? null : (asked.from ?? asked.to ?? null)
  let place: IndexPlace | undefined = { ...indexBeginning(range), day }
  for (let read = 0; place && lines.length <= size; read += STEP) {
    if (read >= most) return null
    const stretch: IndexStretch = await linesBehind(db, of, {
      ...{ place, range, withTexts: false, step: STEP, days: asked },
    })
    lines.push(...stretch.lines)
    await letOthersRun()
    place = stretch.next
  }
  const last = lines[size - 1]
  const isMore = lines.length > size && last?.kind === 'entry'
  return { lines: lines.slice(0, size), next: isMore ? last.entry.last : undefined }
}

/**
 * The whole index of a series; without a range of numbers, instruments with a text in place of a number are at its end. Each
 * line costs the same, however many there are; other requests run in between.
 *
 * @param step lines that are read at once
 * @throws {Problem} see `readInstrumentIndex`
 */
export async function exportInstrumentIndex(
  { db, eventQueue, clock }: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  asked: ReadInstrumentIndex,
  step = STEP,
): Promise<{ office: Office; series: NumberSeries; lines: AsyncIterable<IndexLine> }> {
  const { seriesId = INSTRUMENT_SERIES } = asked
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const office = await findOffice(db, officeId)
  const series = await findSeries(db, officeId, seriesId)
  if (!office || !series) throw new Problem('not-found', `no series ${seriesId}`)
  const of = { officeId, seriesId }
  const range = rangeOf(asked)
  await eventQueue.append(eventOf('report.exported', actor, at, series, { ...asked, ...range }))
  const listing = { range, withTexts: isWhole(asked), step, days: asked }
  return { office, series, lines: linesOf(db, of, listing) }
}

/** Whole documents: each has up to sixty parties. */
export const STEP = 100

const HIGHEST = 99_999_999

export const rangeOf = ({ first = 1, last = HIGHEST }: ReadInstrumentIndex): NumberRange => ({
  first,
  last,
})

export const isWhole = ({ first, last }: ReadInstrumentIndex) =>
  first === undefined && last === undefined

const eventOf = (
  action: 'report.read' | 'report.exported',
  actor: Actor,
  at: Instant,
  { id, name }: NumberSeries,
  { first, last, from, to }: NumberRange & Days,
) => ({
  ...{ actor, at, action, subject: { kind: 'number-series' as const, id } },
  details: { report: 'instruments', name, first, last, ...(from && { from }), ...(to && { to }) },
})

type Days = Pick<ReadInstrumentIndex, 'from' | 'to'>

const hasDays = ({ from, to }: Days) => from !== undefined || to !== undefined

const areDaysOf = ({ from, to }: Days, day: string | null) =>
  day !== null && (from === undefined || from <= day) && (to === undefined || day <= to)

type Listing = {
  range: NumberRange
  /** Instruments with a text in place of a number follow those with one. */
  withTexts: boolean
  step: number
  days: Days
}

async function* linesOf(db: Reader, of: OfSeries, listing: Listing): AsyncGenerator<IndexLine> {
  const letOthersRun = turnTaker()
  let place: IndexPlace | undefined = indexBeginning(listing.range)
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

export const indexBeginning = ({ first }: NumberRange) => ({ kind: 'entries' as const, first })

type IndexStretch = { lines: IndexLine[]; next: IndexPlace | undefined }

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
async function entriesIn(
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

async function entryLines(db: Reader, entries: readonly NumberEntry[]): Promise<IndexLine[]> {
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
