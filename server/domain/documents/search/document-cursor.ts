import { z } from 'zod'
import { DocumentId } from '#server/domain/ids.ts'
import { pageCursor } from '#server/domain/page-cursor.ts'

/** Where a search goes on: among what was asked for, below the number of a text. */
export type SearchCursor = { among: (typeof AMONG)[number]; below: number }

/** Texts that have exactly what was asked for, all others that have it, those with similar words. */
const AMONG = ['exact', 'other', 'similar'] as const

/** `other.1763650000000123` in URLs. */
export const searchCursorText = ({ among, below }: SearchCursor) => `${among}.${below}`

const SearchCursor = z
  .string()
  .transform((text) => text.split('.'))
  .transform(([among, below]) => ({ among, below: below === '' ? undefined : Number(below) }))
  .pipe(z.object({ among: z.enum(AMONG), below: z.int().nonnegative() }))

/** The end of a page of a search, of a list by time, or of a list by title: its last document. */
export const DocumentCursor = z.union([SearchCursor, pageCursor(DocumentId), DocumentId])
export type DocumentCursor = z.infer<typeof DocumentCursor>
