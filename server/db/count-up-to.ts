import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './tables.ts'
import type { Reader } from './transaction.ts'

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

/** The numbers of rows in each state by `countUpTo`; empty states are absent. */
export async function countStates<State extends string>(
  states: readonly State[],
  countIn: (state: State) => Promise<number>,
): Promise<Partial<Record<State, number>>> {
  const counts: Partial<Record<State, number>> = {}
  for (const state of states) {
    const count = await countIn(state)
    if (count > 0) counts[state] = count
  }
  return counts
}
