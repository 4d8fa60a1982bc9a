import { z } from 'zod'
import type { DocumentKind } from '#server/domain/documents/document.ts'
import { line } from '#server/domain/identity/text.ts'
import { NumberSeriesId, OfficeId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from './series-ids.ts'
import { SeriesNumber } from './series-number.ts'

/** Series of one office. */
export const MOST_SERIES = 12

/** Numbers that follow each other: those of the protocol, of the register of collations, or of another register. */
export const NumberSeries = z.object({
  id: NumberSeriesId,
  officeId: OfficeId,
  name: line(60),
  /** The number that is taken next; null before the office started the series. */
  next: SeriesNumber.nullable(),
  /** Numbers from here on are missing if no document has them; null before the start. */
  countedFrom: SeriesNumber.nullable(),
  /** The current book, volume or tome, as the office writes it. */
  book: line(40).nullable(),
  /** Null for a series of the program that the office has not changed. */
  at: Instant.nullable(),
})
export type NumberSeries = z.infer<typeof NumberSeries>

/**
 * The series in which a document of this kind has its number. Null for kinds that only cite one: a testimony and a
 * copy have the number of their deed.
 */
export function seriesOfKind(kind: DocumentKind): NumberSeriesId | null {
  switch (kind) {
    case 'deed':
    case 'act':
    case 'power-of-attorney':
    case 'will':
    case 'ratification':
      return INSTRUMENT_SERIES
    case 'collation':
      return COLLATION_SERIES
    default:
      return null
  }
}
