import { z } from 'zod'
import type { OfSeries } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, listSeries } from '#server/db/documents/numbers/number-series.ts'
import { listNumberTexts } from '#server/db/documents/numbers/number-texts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { Day } from '#server/domain/day.ts'
import type { NumberRange } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import {
  type Days,
  entriesIn,
  entryLines,
  hasDays,
  type IndexLine,
  type IndexPlace,
  type IndexStretch,
  indexBeginning,
  linesBehind,
  linesOf,
  STEP,
} from './index-lines.ts'
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
  let place: IndexPlace | undefined =
    asked.behind === undefined
      ? await indexBeginning(db, of, range, asked)
      : // A page goes on behind a line of these days.
        { kind: 'entries', first: range.first, day: asked.from ?? asked.to }
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
