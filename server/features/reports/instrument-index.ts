import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { listEntriesIn, type OfSeries } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, listSeries } from '#server/db/documents/numbers/number-series.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { NumberEntry } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
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

/** A number, or a range of numbers without instruments; `document` is null if none has or had it. */
export type IndexLine = {
  entry: NumberEntry
  document: Pick<Document, 'id' | 'folio' | 'title' | 'state' | 'instrument'> | null
}

export type InstrumentIndex = {
  series: NumberSeries[]
  shown: NumberSeries
  lines: IndexLine[]
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
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  asked: ReadInstrumentIndex & { size?: number },
): Promise<InstrumentIndex> {
  const { seriesId = INSTRUMENT_SERIES, behind, size = 50 } = asked
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const series = await listSeries(db, officeId)
  const shown = series.find(({ id }) => id === seriesId)
  if (!shown) throw new Problem('not-found', `no series ${seriesId}`)
  const range = rangeOf(asked, behind)
  const entries = await listEntriesIn(db, { officeId, seriesId }, range, size + 1)
  const lines = await withDocuments(db, entries.slice(0, size))
  // One event for a report, not one for each of its pages.
  if (behind === undefined)
    await db.transaction((trx) => appendEvent(trx, eventOf('report.read', actor, at, shown, asked)))
  return {
    series,
    shown,
    lines,
    next: entries.length > size ? lines.at(-1)?.entry.last : undefined,
  }
}

/**
 * The whole index of a series. Each line costs the same, however many there are; other requests run in between.
 *
 * @throws {Problem} see `readInstrumentIndex`
 */
export async function exportInstrumentIndex(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { seriesId = INSTRUMENT_SERIES, ...asked }: ReadInstrumentIndex,
): Promise<{ series: NumberSeries; lines: AsyncIterable<IndexLine> }> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const series = await findSeries(db, officeId, seriesId)
  if (!series) throw new Problem('not-found', `no series ${seriesId}`)
  await db.transaction((trx) =>
    appendEvent(trx, eventOf('report.exported', actor, at, series, asked)),
  )
  return { series, lines: linesOf(db, { officeId, seriesId }, rangeOf(asked)) }
}

type Range = Pick<ReadInstrumentIndex, 'first' | 'last'>

const rangeOf = ({ first = 1, last = HIGHEST }: Range, behind = 0) => ({
  first: Math.max(first, behind + 1),
  last,
})

const eventOf = (
  action: 'report.read' | 'report.exported',
  actor: Actor,
  at: Instant,
  { id, name }: NumberSeries,
  { first, last }: Range,
) => ({
  ...{ actor, at, action, subject: { kind: 'number-series' as const, id } },
  details: { report: 'instruments', name, first: first ?? null, last: last ?? null },
})

async function* linesOf(
  db: System['db'],
  of: OfSeries,
  range: { first: number; last: number },
): AsyncGenerator<IndexLine> {
  const letOthersRun = turnTaker()
  for (let { first } = range; ; ) {
    const entries = await listEntriesIn(db, of, { ...range, first }, CHUNK)
    yield* await withDocuments(db, entries)
    await letOthersRun()
    const last = entries.at(-1)
    if (entries.length < CHUNK || !last) break
    first = last.last + 1
  }
}

async function withDocuments(db: Reader, entries: readonly NumberEntry[]): Promise<IndexLine[]> {
  const idOf = ({ documentId, leftBy }: NumberEntry) => documentId ?? leftBy
  const documents = await findDocuments(
    db,
    entries.flatMap((entry) => idOf(entry) ?? []),
  )
  return entries.map((entry) => {
    const id = idOf(entry)
    return { entry, document: (id && documents.get(id)) ?? null }
  })
}

const HIGHEST = 99_999_999
const CHUNK = 500
