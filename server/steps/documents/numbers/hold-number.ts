import {
  findEntry,
  findFreeNumber,
  insertEntries,
  type OfSeries,
  replaceEntry,
} from '#server/db/documents/numbers/number-entries.ts'
import { replaceNext } from '#server/db/documents/numbers/number-series.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  cutOut,
  isTakeable,
  type NumberEntry,
} from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'

export type Held = Pick<NumberEntry, 'state' | 'documentId' | 'note'> & { once?: string }
export type Author = { at: Instant; by: UserId }

/**
 * Gives a number of the series to a document, or sets it apart; if it is the next one, the sequence goes on behind it. The
 * caller must hold `lockNumbers`.
 *
 * @returns whether the number stands outside of the sequence: it was not in the register, nor the next one
 * @throws {Problem} `number-used`; `number-explained` if a reason says why it stays unused
 */
export async function holdNumber(
  trx: Transaction,
  series: NumberSeries,
  number: number,
  held: Held,
  { at, by }: Author,
): Promise<{ isOutside: boolean }> {
  const of: OfSeries = { officeId: series.officeId, seriesId: series.id }
  const known = await findEntry(trx, of, number)
  if (known && !isTakeable(known))
    throw new Problem(
      known.state === 'unused' ? 'number-explained' : 'number-used',
      `${number} of ${series.id} is ${known.state}`,
    )
  const once = held.once ?? known?.once ?? null
  const entry = { ...of, ...held, first: number, last: number, leftBy: null, once, at, by }
  if (known) await replaceEntry(trx, known, [...cutOut(known, entry), entry])
  else await insertEntries(trx, [entry])
  const isNext = number === series.next
  if (isNext) await replaceNext(trx, series, await findFreeNumber(trx, of, number + 1))
  return { isOutside: !known && !isNext && series.next !== null }
}

/**
 * Takes the number from its document. In the sequence it stays unused until a user says why; a number ahead of it, or from
 * before it was counted, was never given out: it is forgotten.
 */
export async function releaseNumber(
  trx: Transaction,
  series: NumberSeries,
  entry: NumberEntry,
  { at, by }: Author,
): Promise<void> {
  const { next, countedFrom } = series
  const wasGiven =
    next !== null && entry.first < next && entry.first >= (countedFrom ?? entry.first)
  const left = {
    ...entry,
    ...{ state: 'left' as const, documentId: null, leftBy: entry.documentId, note: null, at, by },
  }
  await replaceEntry(trx, entry, wasGiven ? [left] : [])
}
