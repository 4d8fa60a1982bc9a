import { z } from 'zod'
import { Instant } from './time.ts'

/** Where a page of a list ends that begins with the newest; the next page begins behind it. */
export type PageCursor<Id extends string> = { at: Instant; id: Id }

/** Reads what {@link cursorText} wrote. @param id the schema of the ids in the list */
export const pageCursor = <Id extends string>(id: z.core.$ZodType<Id, string>) =>
  z
    .string()
    .transform((text) => text.split('.'))
    .transform(([at, id]) => ({ at: Number(at), id: id ?? '' }))
    .pipe(z.object({ at: Instant, id }))

/** `1763650000000.7f3c…`, as it stands in an address: the time and the id of the last on a page. */
export const cursorText = ({ at, id }: PageCursor<string>) => `${at}.${id}`
