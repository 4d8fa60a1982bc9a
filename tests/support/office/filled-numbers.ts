import { randomUUID } from 'node:crypto'
import { insertEntries } from '#server/db/documents/numbers/number-entries.ts'
import { upsertSeries } from '#server/db/documents/numbers/number-series.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { MOST_SERIES } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { User } from '#server/domain/identity/user.ts'
import { NumberSeriesId, type OfficeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Above those of a large office. */
const FIRST = 90_000_000

/**
 * A number for each of these people, each set apart by another one, and as many series as an office may have.
 *
 * @returns the address of a number, and a series of the office's own
 */
export async function fillNumbers(
  trx: Transaction,
  { officeId, people, at }: { officeId: OfficeId; people: readonly User[]; at: Instant },
): Promise<{ number: string; series: string }> {
  const [author] = people
  if (!author) throw new Error('an office without people')
  const ids = people.slice(0, MOST_SERIES - 2).map(() => NumberSeriesId.parse(randomUUID()))
  for (const [index, id] of ids.entries())
    await upsertSeries(trx, {
      ...{ id, officeId, name: `Serie ${index}`, next: 1, countedFrom: 1, book: null },
      ...{ at, by: author.id },
    })
  await insertEntries(
    trx,
    people.map(({ id: by }, index) => ({
      ...{ officeId, seriesId: INSTRUMENT_SERIES, first: FIRST + index, last: FIRST + index },
      ...{ state: 'reserved', documentId: null, leftBy: null, note: 'Para un poder', once: null },
      ...{ at, by },
    })),
  )
  return { number: `${INSTRUMENT_SERIES}/${FIRST}`, series: ids[0] ?? '' }
}
