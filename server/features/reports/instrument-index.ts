import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import {
  findEntry,
  listEntriesIn,
  type OfSeries,
} from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, listSeries } from '#server/db/documents/numbers/number-series.ts'
import { listNumberTexts, type NumberText } from '#server/db/documents/numbers/number-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
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

export const ReadInstrumentIndex = z.object({
  /** Of the instruments if absent. */
  seriesId: NumberSeriesId.optional(),
  /** The first and the last number; all if absent. */
  first: SeriesNumber.optional(),
  last: SeriesNumber.optional(),
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
  asked: ReadInstrumentIndex & { size?: number },
): Promise<InstrumentIndex> {
  const { seriesId = INSTRUMENT_SERIES, behind = 0, size = 50 } = asked
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const series = await listSeries(db, officeId)
  const shown = series.find(({ id }) => id === seriesId)
  if (!shown) throw new Problem('not-found', `no series ${seriesId}`)
  const of = { officeId, seriesId }
  const range = rangeOf(asked)
  const rest = { ...range, first: Math.max(range.first, behind + 1) }
  const entries = await entriesIn(db, of, rest, size + 1)
  const lines = await entryLines(db, entries.slice(0, size))
  const texts = await listNumberTexts(db, of, { behind: undefined, limit: 1 })
  await eventQueue.append(eventOf('report.read', actor, at, shown, rest))
  return {
    ...{ series, shown, lines, hasTexts: texts.length > 0 },
    next: entries.length > size ? entries[size - 1]?.last : undefined,
  }
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
  await eventQueue.append(eventOf('report.exported', actor, at, series, range))
  return { office, series, lines: linesOf(db, of, range, isWhole(asked), step) }
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
  { first, last }: NumberRange,
) => ({
  ...{ actor, at, action, subject: { kind: 'number-series' as const, id } },
  details: { report: 'instruments', name, first, last },
})

async function* linesOf(
  db: Reader,
  of: OfSeries,
  range: NumberRange,
  withTexts: boolean,
  step: number,
): AsyncGenerator<IndexLine> {
  const letOthersRun = turnTaker()
  let place: IndexPlace | undefined = indexBeginning(range)
  while (place) {
    const stretch: IndexStretch = await linesBehind(db, of, { place, range, withTexts, step })
    yield* stretch.lines
    await letOthersRun()
    place = stretch.next
  }
}

/** Where a listing of the index stands. Plain values. */
export type IndexPlace =
  | { kind: 'entries'; first: number }
  | { kind: 'texts'; behind: { at: number; id: string } | undefined }

export const indexBeginning = ({ first }: NumberRange): IndexPlace => ({ kind: 'entries', first })

type IndexStretch = { lines: IndexLine[]; next: IndexPlace | undefined }

/** The next lines of the index. @param asked.withTexts instruments with a text in place of a number follow those with one */
export async function linesBehind(
  db: Reader,
  of: OfSeries,
  asked: { place: IndexPlace; range: NumberRange; withTexts: boolean; step: number },
): Promise<IndexStretch> {
  const { place, range, withTexts, step } = asked
  if (place.kind === 'texts') return await textsBehind(db, of, place.behind, step)
  const entries = await entriesIn(db, of, { ...range, first: place.first }, step)
  const lines = await entryLines(db, entries)
  const last = entries.at(-1)
  if (last && entries.length >= step)
    return { lines, next: { kind: 'entries', first: last.last + 1 } }
  return { lines, next: withTexts ? { kind: 'texts', behind: undefined } : undefined }
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
  const documents = await findDocuments(db, ids)
  return entries.map((entry) => {
    const id = idOf(entry)
    return { kind: 'entry', entry, document: (id && documents.get(id)) ?? null }
  })
}

async function textLines(db: Reader, texts: readonly NumberText[]): Promise<IndexLine[]> {
  const ids = texts.map(({ documentId }) => documentId)
  const documents = await findDocuments(db, ids)
  return texts.map((text) => ({
    ...{ kind: 'text', text, document: documents.get(text.documentId) ?? null },
  }))
}
