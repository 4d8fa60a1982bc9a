import { lockUntilCommit } from '#server/db/lock.ts'
import type { NumberSeriesRow } from '#server/db/tables/numbers.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { defaultSeries } from '#server/domain/documents/numbers/default-series.ts'
import { MOST_SERIES, NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import type { NumberSeriesId, OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Serializes what changes the register of an office, in all processes: no two take the same number, and none is skipped. */
export const lockNumbers = (trx: Transaction, officeId: OfficeId) =>
  lockUntilCommit(trx, `numbers:${officeId}`)

/** The series of the office: those of the program first, then its own by name. */
export async function listSeries(db: Reader, officeId: OfficeId): Promise<NumberSeries[]> {
  const rows = await db
    .selectFrom('number_series')
    .selectAll()
    .where('office_id', '=', officeId)
    .limit(MOST_SERIES)
    .execute()
  const written = new Map(rows.map(toSeries).map((series) => [series.id, series]))
  const ofProgram = defaultSeries(officeId).map((series) => written.get(series.id) ?? series)
  const known = new Set(ofProgram.map(({ id }) => id))
  const own = [...written.values()].filter(({ id }) => !known.has(id))
  return [...ofProgram, ...own.toSorted((a, b) => a.name.localeCompare(b.name, 'es-MX'))]
}

export async function findSeries(
  db: Reader,
  officeId: OfficeId,
  id: NumberSeriesId,
): Promise<NumberSeries | undefined> {
  const row = await db
    .selectFrom('number_series')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? toSeries(row) : defaultSeries(officeId).find((series) => series.id === id)
}

/** Inserts the series, or replaces it under `lockNumbers`. */
export async function upsertSeries(
  trx: Transaction,
  { at, by, ...series }: NumberSeries & { at: Instant; by: UserId },
): Promise<void> {
  const changing = {
    ...{ name: series.name, next_number: series.next, counted_from: series.countedFrom },
    ...{ book: series.book, at, by_user: by },
  }
  await trx
    .insertInto('number_series')
    .values({ office_id: series.officeId, id: series.id, ...changing })
    .onConflict((conflict) => conflict.columns(['office_id', 'id']).doUpdateSet(changing))
    .execute()
}

/** Compare-and-swap on the next number. @throws {Error} if another transaction changed it without the lock */
export async function replaceNext(
  trx: Transaction,
  { officeId, id, next }: NumberSeries,
  then: number,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('number_series')
    .set({ next_number: then })
    .where('office_id', '=', officeId)
    .where('id', '=', id)
    .where('next_number', '=', next)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`the next number of ${id} is not ${next} any more`)
}

const toSeries = ({
  office_id,
  next_number,
  counted_from,
  ...row
}: NumberSeriesRow): NumberSeries =>
  NumberSeries.parse({ ...row, officeId: office_id, next: next_number, countedFrom: counted_from })
