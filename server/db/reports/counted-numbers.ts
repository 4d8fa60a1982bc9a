import type { OfSeries } from '#server/db/documents/numbers/number-entries.ts'
import type { Reader } from '#server/db/transaction.ts'
import { NumberState } from '#server/domain/documents/numbers/number-entry.ts'
import type { CountedNumbers } from '#server/domain/reports/number-counts.ts'

/** The lines of a series behind this number, in order. */
export async function listCountedNumbers(
  db: Reader,
  { officeId, seriesId }: OfSeries,
  { behind, limit }: { behind: number; limit: number },
): Promise<CountedNumbers[]> {
  const rows = await db
    .selectFrom('instrument_numbers')
    .select(['first_number', 'last_number', 'state'])
    .where('office_id', '=', officeId)
    .where('series_id', '=', seriesId)
    .where('first_number', '>', behind)
    .orderBy('first_number')
    .limit(limit)
    .execute()
  return rows.map(({ first_number: first, last_number: last, state }) => ({
    ...{ first, last, state: NumberState.parse(state) },
  }))
}
