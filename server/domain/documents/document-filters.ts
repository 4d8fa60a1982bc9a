import { z } from 'zod'
import { Day, endOfDay, startOfDay } from '#server/domain/day.ts'
import { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { DocumentKind } from './document.ts'

/** What lists of documents are filtered by, beside words and state. */
export const DocumentFilters = z.object({
  kind: DocumentKind.optional(),
  /** Who uploaded them. */
  by: UserId.optional(),
  /** The first and the last day of the upload, in the office's time zone. */
  from: Day.optional(),
  to: Day.optional(),
})
export type DocumentFilters = z.infer<typeof DocumentFilters>

const { kind, by, from, to } = DocumentFilters.shape

const Fitting = DocumentFilters.extend({
  kind: kind.catch(undefined),
  by: by.catch(undefined),
  from: from.catch(undefined),
  to: to.catch(undefined),
})

/** The filters among the values of a form or an address; one that is empty or does not fit is left out. */
export const documentFiltersIn = (values: Readonly<Record<string, unknown>>): DocumentFilters =>
  Fitting.parse(values)

/** The first and the last instant of the days; undefined for a day that is. */
export function instantsOf(
  { from, to }: Pick<DocumentFilters, 'from' | 'to'>,
  timeZone: string,
): { from: Instant | undefined; to: Instant | undefined } {
  return { from: from && startOfDay(from, timeZone), to: to && endOfDay(to, timeZone) }
}
