import type { SelectQueryBuilder } from 'kysely'

/**
 * The rows of all `parts`. A list that a condition with `or` or `in` selects is read as one part for each value:
 * then an index gives each part in the order of the list, and its limit bounds what is read.
 */
export function unionOf<DB, TB extends keyof DB, Row>(
  parts: readonly SelectQueryBuilder<DB, TB, Row>[],
): SelectQueryBuilder<DB, TB, Row> {
  const [first, ...others] = parts
  if (!first) throw new Error('a union of no parts')
  return others.length === 0 ? first : first.unionAll(others)
}
