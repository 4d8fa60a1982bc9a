import { z } from 'zod'

/** Of the longest file that is read. */
const MOST_PAGES = 100_000
const Thousandths = z.coerce.number().int().min(0).max(1000)

/** Where a person wants the visible signatures of a document that arrived signed. */
export const StampChoice = z.object({
  /** Counts from 1. */
  page: z.coerce.number().int().min(1).max(MOST_PAGES),
  /** The middle of the first stamp, in thousandths of the page as it is shown, from its upper left corner. */
  x: Thousandths,
  y: Thousandths,
})
export type StampChoice = z.infer<typeof StampChoice>
