import { z } from 'zod'
import { line, searchable } from '#server/domain/identity/text.ts'
import { DocumentViewId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** A user who has as many must remove one before the next. */
export const MOST_VIEWS = 20

/** The list of documents as a user keeps it under a name: search, filters, order and columns. Only its user sees it. */
export const DocumentView = z.object({
  id: DocumentViewId,
  userId: UserId,
  name: line(60),
  /** The query of its address, without a place in the list; empty for the usual list. */
  query: z.string().max(3_000),
  createdAt: Instant,
})
export type DocumentView = z.infer<typeof DocumentView>

/** Two views of a user are not named alike. */
export const viewNameKey = (name: string): string => searchable(name)
