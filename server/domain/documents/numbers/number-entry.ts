import { z } from 'zod'
import { line } from '#server/domain/identity/text.ts'
import { DocumentId, NumberSeriesId, OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { SeriesNumber } from './series-number.ts'

/** Why a number has no document, or for what it is set apart. */
export const NumberNote = line(300)

/**
 * - `used`: a document has it.
 * - `reserved`: set apart, without a document yet.
 * - `left`: its document was cancelled, rejected or renumbered; the reason why it stays unused is not known yet.
 * - `unused`: stays without a document, with a reason: `NO PASÓ`.
 * - `missing`: the sequence went past it.
 */
export const NumberState = z.enum(['used', 'reserved', 'left', 'unused', 'missing'])
export type NumberState = z.infer<typeof NumberState>

/** One line of the register: a number, or a range of numbers without documents. Lines of a series never overlap. */
export const NumberEntry = z.object({
  officeId: OfficeId,
  seriesId: NumberSeriesId,
  first: SeriesNumber,
  /** Equal to `first` unless the state is `unused` or `missing`. */
  last: SeriesNumber,
  state: NumberState,
  /** The document that has it; null unless `used`. */
  documentId: DocumentId.nullable(),
  /** The document that had it last. */
  leftBy: DocumentId.nullable(),
  note: NumberNote.nullable(),
  /** The form that set it apart; see `idMadeOnce`. */
  once: z.uuid().nullable(),
  at: Instant,
  /** Null if a job did it. */
  by: UserId.nullable(),
})
export type NumberEntry = z.infer<typeof NumberEntry>

export type NumberRange = { first: number; last: number }

/** What is left of a range once another one is cut out of it: up to two ranges. */
export function cutOut<Range extends NumberRange>(whole: Range, { first, last }: NumberRange) {
  const below = whole.first < first ? [{ ...whole, last: Math.min(whole.last, first - 1) }] : []
  const above = last < whole.last ? [{ ...whole, first: Math.max(whole.first, last + 1) }] : []
  return [...below, ...above]
}

/** Whether a document may take the number of this line. */
export const isTakeable = ({ state }: Pick<NumberEntry, 'state'>): boolean =>
  state === 'reserved' || state === 'left' || state === 'missing'
