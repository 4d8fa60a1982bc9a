import { z } from 'zod'
import { DocumentId } from '#server/domain/ids.ts'
import { pageCursor } from '#server/domain/page-cursor.ts'

/** Where a search goes on: among what was asked for, below the number of a text. */
export type SearchCursor = {
  among: (typeof AMONG)[number]
  below: number
  /** How many numbers are looked at first, where looking at more took too long. */
  span?: number | undefined
}

/** Texts that have exactly what was asked for, all others that have it, those with similar words. */
const AMONG = ['exact', 'other', 'similar'] as const

/** `other.1763650000000123` in URLs, or `other.1763650000000123.707788800`. */
export const searchCursorText = ({ among, below, span }: SearchCursor) =>
  [among, below, ...(span === undefined ? [] : [span])].join('.')

const SearchCursor = z
  .string()
  .transform((text) => text.split('.'))
  .transform(([among, below, span]) => ({
    among,
    below: below === '' ? undefined : Number(below),
    span: span === undefined ? undefined : Number(span),
  }))
  .pipe(
    z.object({
      among: z.enum(AMONG),
      below: z.int().nonnegative(),
      span: z.int().positive().or(z.undefined()),
    }),
  )

/** The end of a page of a search, of a list by time, or of a list by title: its last document. */
export const DocumentCursor = z.union([SearchCursor, pageCursor(DocumentId), DocumentId])
export type DocumentCursor = z.infer<typeof DocumentCursor>
