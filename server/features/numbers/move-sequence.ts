import {
  findEntry,
  findFreeNumber,
  insertMissing,
  listEntriesIn,
  type OfSeries,
  replaceEntry,
} from '#server/db/documents/numbers/number-entries.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { cutOut } from '#server/domain/documents/numbers/number-entry.ts'
import type { NumberSeries } from '#server/domain/documents/numbers/number-series.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Author } from '#server/steps/documents/numbers/hold-number.ts'

/**
 * Lets the sequence go on with another number, under `lockNumbers`. Numbers that it goes past are missing; going back takes
 * back those that are missing only.
 *
 * @returns the series with its next number: the first one from there on that no document has
 * @throws {Problem} `number-given`
 */
export async function moveSequence(
  trx: Transaction,
  series: NumberSeries,
  asked: { next: number; countedFrom: number | null },
  author: Author,
): Promise<NumberSeries> {
  const of: OfSeries = { officeId: series.officeId, seriesId: series.id }
  const countedFrom = series.countedFrom ?? asked.countedFrom ?? asked.next
  const from = series.next ?? countedFrom
  if (asked.next >= from)
    await insertMissing(trx, of, { first: from, last: asked.next - 1 }, author)
  else await takeMissingBack(trx, of, { first: asked.next, last: from - 1 })
  return {
    ...series,
    countedFrom: Math.min(countedFrom, asked.next),
    next: await findFreeNumber(trx, of, asked.next),
  }
}

async function takeMissingBack(
  trx: Transaction,
  of: OfSeries,
  range: { first: number; last: number },
): Promise<void> {
  const within = await listEntriesIn(trx, of, range, MOST_LINES)
  const across = await findEntry(trx, of, range.first)
  const lines = across && across.first < range.first ? [across, ...within] : within
  if (lines.length >= MOST_LINES || lines.some(({ state }) => state !== 'missing'))
    throw new Problem('number-given', `numbers from ${range.first} of ${of.seriesId} were given`)
  for (const line of lines) await replaceEntry(trx, line, cutOut(line, range))
}

/** Missing numbers that follow each other are one line. */
const MOST_LINES = 100
