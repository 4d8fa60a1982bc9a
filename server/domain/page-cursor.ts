import { z } from 'zod'
import { Instant } from './time.ts'

/** The last item of a page, sorted by a time, latest first; the next page starts after it. */
export type PageCursor<Id extends string> = { at: Instant; id: Id }

/** Reads what {@link cursorText} wrote. @param id the schema of the ids in the list */
export const pageCursor = <Id extends string>(id: z.core.$ZodType<Id, string>) =>
  z
    .string()
    .transform((text) => text.split('.'))
    .transform(([at, id]) => ({ at: Number(at), id: id ?? '' }))
    .pipe(z.object({ at: Instant, id }))

/** `1763650000000.7f3c…` in URLs: time and id of the last item. */
export const cursorText = ({ at, id }: PageCursor<string>) => `${at}.${id}`
