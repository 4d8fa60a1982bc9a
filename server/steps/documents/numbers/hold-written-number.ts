import { findEntryOf } from '#server/db/documents/numbers/number-entries.ts'
import { findSeries, lockNumbers } from '#server/db/documents/numbers/number-series.ts'
import { deleteNumberText, insertNumberText } from '#server/db/documents/numbers/number-texts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { foldedNumber, numberIn } from '#server/domain/documents/numbers/series-number.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Author, holdNumber, releaseNumber } from './hold-number.ts'

type Numbered = Pick<Document, 'id' | 'officeId' | 'kind' | 'instrument'>

/**
 * Keeps the register as the document says: it has the number that a person wrote, and leaves the one it had before. A document
 * without a number keeps the series of its number; otherwise its kind decides, and kinds that only cite a number have none.
 *
 * @returns whether the number stands outside of the sequence
 * @throws {Problem} `number-used`, `number-explained`
 */
export async function holdWrittenNumber(
  trx: Transaction,
  { id, officeId, kind, instrument }: Numbered,
  author: Author,
): Promise<{ isOutside: boolean }> {
  await lockNumbers(trx, officeId)
  const held = await findEntryOf(trx, id)
  const text = instrument?.number ?? null
  const number = text === null ? undefined : numberIn(text)
  if (held && held.first === number) return { isOutside: false }
  const seriesId = held?.seriesId ?? seriesOfKind(kind)
  const series = seriesId && (await findSeries(trx, officeId, seriesId))
  if (!series) return { isOutside: false }
  if (held) await releaseNumber(trx, series, held, author)
  else await deleteNumberText(trx, id)
  if (text === null) return { isOutside: false }
  if (number !== undefined)
    return await holdNumber(
      trx,
      series,
      number,
      { state: 'used', documentId: id, note: null },
      author,
    )
  const listed = { documentId: id, text, folded: foldedNumber(text), at: author.at }
  if (!(await insertNumberText(trx, { officeId, seriesId: series.id }, listed)))
    throw new Problem('number-used', `${text} is another document's`)
  return { isOutside: false }
}
