import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { InstrumentNumberRow } from '#server/db/tables/numbers.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  NumberEntry,
  type NumberRange,
  type NumberState,
} from '#server/domain/documents/numbers/number-entry.ts'
import type { DocumentId, NumberSeriesId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The series that a line belongs to. */
export type OfSeries = { officeId: OfficeId; seriesId: NumberSeriesId }

/** The line that has this number, by itself or in its range. */
export async function findEntry(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  number: number,
): Promise<NumberEntry | undefined> {
  const row = await db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .where('first_number', '<=', number)
    .orderBy('first_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && row.last_number >= number ? toEntry(row) : undefined
}

/** The line of the number that the document has. */
export async function findEntryOf(
  db: Reader,
  documentId: DocumentId,
): Promise<NumberEntry | undefined> {
  const row = await db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row && toEntry(row)
}

/** The line that this form set apart, whatever became of it. */
export async function findEntryMadeOnce(
  db: Reader,
  once: string,
): Promise<NumberEntry | undefined> {
  const row = await db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('made_once', '=', once)
    .executeTakeFirst()
  return row && toEntry(row)
}

/** The lines with a number of this range, in order. */
export async function listEntriesIn(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  { first, last }: NumberRange,
  limit: number,
): Promise<NumberEntry[]> {
  const rows = await db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .where('first_number', '>=', first)
    .where('first_number', '<=', last)
    .orderBy('first_number')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

/** The lines that begin before this number, the nearest first. */
export async function listEntriesBefore(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  number: number,
  limit: number,
): Promise<NumberEntry[]> {
  const rows = await db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .where('first_number', '<', number)
    .orderBy('first_number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toEntry)
}

/** The lowest number from `from` on that no line has. */
export async function findFreeNumber(db: Reader, series: OfSeries, from: number): Promise<number> {
  let free = from
  for (;;) {
    const range = { first: free, last: free + AHEAD }
    const entries = await listEntriesIn(db, series, range, AHEAD)
    for (const entry of entries) {
      if (entry.first > free) return free
      free = entry.last + 1
    }
    if (entries.length < AHEAD) return free
  }
}

/** Numbers that were written by hand ahead of the sequence: usually none. */
const AHEAD = 100

export async function insertEntries(
  trx: Transaction,
  entries: readonly NumberEntry[],
): Promise<void> {
  if (entries.length > 0)
    await trx.insertInto('instrument_numbers').values(entries.map(toRow)).execute()
}

/** Puts these lines in the place of one, under `lockNumbers`. @throws {Error} if it is no longer as it was seen */
export async function replaceEntry(
  trx: Transaction,
  seen: NumberEntry,
  entries: readonly NumberEntry[],
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('instrument_numbers')
    .where('office_id', '=', seen.officeId)
    .where('series_id', '=', seen.seriesId)
    .where('first_number', '=', seen.first)
    .where('last_number', '=', seen.last)
    .where('state', '=', seen.state)
    .executeTakeFirstOrThrow()
  if (numDeletedRows !== 1n) throw new Error(`${seen.first} of ${seen.seriesId} changed meanwhile`)
  await insertEntries(trx, entries)
}

/** Registers the numbers of the range that no line has as missing, in two statements, however long it is. */
export async function insertMissing(
  trx: Transaction,
  { officeId, seriesId }: OfSeries,
  { first, last }: NumberRange,
  { at, by }: { at: Instant; by: UserId },
): Promise<void> {
  if (first > last) return
  await sql`
    insert into instrument_numbers (office_id, series_id, first_number, last_number, state, at, by_user)
    select office_id, series_id, previous + 1, first_number - 1, 'missing', cast(${at} as bigint), cast(${by} as text)
    from (
      select office_id, series_id, first_number,
        coalesce(lag(last_number) over (order by first_number), cast(${first - 1} as bigint)) as previous
      from instrument_numbers
      where office_id = ${officeId} and series_id = ${seriesId}
        and first_number >= ${first} and first_number <= ${last}
    ) as taken
    where previous + 1 < first_number`.execute(trx)
  const highest = await trx
    .selectFrom('instrument_numbers')
    .select('last_number')
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .where('first_number', '>=', first)
    .where('first_number', '<=', last)
    .orderBy('first_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const behind = (highest?.last_number ?? first - 1) + 1
  if (behind <= last)
    await insertEntries(trx, [
      { ...missing({ officeId, seriesId }, { at, by }), first: behind, last },
    ])
}

const missing = (series: OfSeries, { at, by }: { at: Instant; by: UserId }) => ({
  ...series,
  ...{ state: 'missing' as const, documentId: null, leftBy: null, note: null, once: null, at, by },
})

/**
 * Cancelled and rejected documents leave their numbers, which the sequence does not give again. Texts in the place of a
 * number are free again.
 */
export async function leaveNumbers(
  trx: Transaction,
  documentIds: readonly DocumentId[],
  { at, by }: { at: Instant; by: UserId | null },
): Promise<void> {
  await inChunks(documentIds, (chunk) =>
    trx
      .updateTable('instrument_numbers')
      .set(({ ref }) => ({
        ...{ state: 'left', document_id: null, left_by: ref('document_id'), at, by_user: by },
      }))
      .where('document_id', 'in', chunk)
      .returning('first_number')
      .execute(),
  )
  await inChunks(documentIds, (chunk) =>
    trx
      .updateTable('number_texts')
      .set({ folded: null })
      .where('document_id', 'in', chunk)
      .returning('document_id')
      .execute(),
  )
}

export type EntryQuery = OfSeries & {
  state: NumberState | undefined
  /** When the lines got their state; both ends belong to it. */
  from: Instant | undefined
  to: Instant | undefined
  /** The last line of the page before. */
  behind: { at: Instant; first: number } | undefined
  limit: number
}

/** Lines of a series, the highest number first; of a period, the last first. */
export async function listEntries(db: Reader, asked: EntryQuery): Promise<NumberEntry[]> {
  const { officeId, seriesId, state, from, to, behind, limit } = asked
  const isOfPeriod = from !== undefined || to !== undefined
  let asking = db
    .selectFrom('instrument_numbers')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
  if (state) asking = asking.where('state', '=', state)
  if (from !== undefined) asking = asking.where('at', '>=', from)
  if (to !== undefined) asking = asking.where('at', '<=', to)
  if (behind)
    asking = isOfPeriod
      ? asking.where(sql<boolean>`(at, first_number) < (${behind.at}, ${behind.first})`)
      : asking.where('first_number', '<', behind.first)
  if (isOfPeriod) asking = asking.orderBy('at', 'desc')
  const rows = await asking.orderBy('first_number', 'desc').limit(limit).execute()
  return rows.map(toEntry)
}

/** The number of lines in this state, at most `most`. */
export async function countEntries(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  state: NumberState,
  most: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('instrument_numbers')
        .select('first_number')
        .where('office_id', '=', officeId)
        .where('series_id', '=', seriesId)
        .where('state', '=', state)
        .limit(most)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The highest number that a document has. */
export async function findHighestUsed(db: Reader, series: OfSeries): Promise<number | undefined> {
  const row = await db
    .selectFrom('instrument_numbers')
    .select('first_number')
    .where('office_id', '=', series.officeId)
    .where('series_id', '=', series.seriesId)
    .where('state', '=', 'used')
    .orderBy('first_number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.first_number
}

const toEntry = (row: InstrumentNumberRow): NumberEntry =>
  NumberEntry.parse({
    ...{ officeId: row.office_id, seriesId: row.series_id, state: row.state },
    ...{ first: row.first_number, last: row.last_number, documentId: row.document_id },
    ...{ leftBy: row.left_by, note: row.note, once: row.made_once, at: row.at, by: row.by_user },
  })

const toRow = (entry: NumberEntry): InstrumentNumberRow => ({
  ...{ office_id: entry.officeId, series_id: entry.seriesId, state: entry.state },
  ...{ first_number: entry.first, last_number: entry.last, document_id: entry.documentId },
  ...{ left_by: entry.leftBy, note: entry.note, made_once: entry.once },
  ...{ at: entry.at, by_user: entry.by },
})
