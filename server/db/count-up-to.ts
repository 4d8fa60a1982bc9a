import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'
import type { Reader } from './transaction.ts'
import { unionOf } from './union-of.ts'

/** Rows of a state are counted up to this number: a count of all would read them all. */
export const MOST_COUNTED = 1000

/** The number of these rows, at most `MOST_COUNTED`. */
export async function countUpTo<TB extends keyof Tables>(
  db: Reader,
  rows: SelectQueryBuilder<Tables, TB, { id: string }>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.limit(MOST_COUNTED).as('counted'))
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * The numbers of rows in each state, by one query; empty states are absent.
 *
 * @param parts rows of one state each, limited to as many as are counted; a state may have several
 */
export async function countStates<TB extends keyof Tables, State extends string>(
  db: Reader,
  parts: readonly SelectQueryBuilder<Tables, TB, { state: State }>[],
): Promise<Partial<Record<State, number>>> {
  const counted = parts.map((part) =>
    db
      .selectFrom(part.as('counted'))
      // All are of one state. Nothing is grouped: that would sort what is counted.
      .select(({ fn }) => [
        fn.max('state').as('state'),
        fn.countAll<number | string>().as('count'),
      ]),
  )
  const counts: Partial<Record<State, number>> = {}
  for (const { state, count } of await unionOf(counted).execute())
    if (state !== null) counts[state as State] = (counts[state as State] ?? 0) + Number(count)
  return counts
}
