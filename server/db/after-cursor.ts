import { sql } from 'kysely'
import type { PageCursor } from '#server/domain/page-cursor.ts'

/**
 * Selects the rows after the cursor in a list sorted newest first. Keyset pagination: the thousandth page costs
 * as much as the first.
 *
 * @param column the time by which the list is sorted
 */
export const isAfterCursor = (
  { at, id }: PageCursor<string>,
  column: 'created_at' | 'at' | 'not_after' | 'signed_at',
) => sql<boolean>`(${sql.ref(column)}, id) < (${at}, ${id})`
