import { sql } from 'kysely'

/**
 * A column in a condition that no index may answer. SQLite, which does not count rows, would read all rows of a common state by
 * the index of states rather than the few that a list of ids selects.
 */
export const unindexed = <Value>(column: string) =>
  sql<Value>`coalesce(${sql.ref(column)}, ${sql.ref(column)})`
