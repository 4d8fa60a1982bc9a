import { sql } from 'kysely'
import type { PageCursor } from '#server/domain/page-cursor.ts'

/**
 * What a list that begins with the newest shows behind the end of a page. By key: the thousandth page costs as
 * much as the first.
 *
 * @param column when the rows of this table were made
 */
export const isBehind = ({ at, id }: PageCursor<string>, column: 'created_at' | 'at') =>
  sql<boolean>`(${sql.ref(column)}, id) < (${at}, ${id})`
