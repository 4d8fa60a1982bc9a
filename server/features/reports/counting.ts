import type { Stretch, TimedRow } from '#server/db/reports/stretch.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Month } from '#server/domain/reports/month.ts'
import { type Instant, instantOf } from '#server/domain/time.ts'

/** What a report counts of, and what it needs to know. */
export type Scope = {
  officeId: OfficeId
  from: Instant
  to: Instant
  monthOf: (at: Instant) => Month
  dayOf: (at: Instant) => Day
  /** All who are or were users of the office. */
  people: ReadonlyMap<UserId, string>
}

/** Where a count stands: the part of the report, and the last row that was read of it. Plain values. */
export type Place = { part: number; behind: { at: number; id: string | number } | undefined }

/**
 * How a report counts. Each call reads one stretch of rows by an index and adds it: linear, whatever there is, and no statement is long.
 */
export type Counting<Counts> = {
  none(): Counts
  /** How many parts it has; undefined if that depends on the office. */
  parts?: number
  /** @returns the number of rows that were read, and the next place; undefined at the end */
  step(
    db: Reader,
    scope: Scope,
    counts: Counts,
    at: { place: Place; limit: number },
  ): Promise<{ read: number; next: Place | undefined }>
}

export const BEGINNING: Place = { part: 0, behind: undefined }

/** A part of a report: reads the rows behind a place, adds each, and returns them. */
type Part<Counts> = (
  db: Reader,
  scope: Scope,
  counts: Counts,
  rest: { behind: Place['behind']; limit: number },
) => Promise<readonly TimedRow<string | number>[]>

export const partOf =
  <Counts, Id extends string | number, Row extends TimedRow<Id>>(
    list: (db: Reader, stretch: Stretch<Id>) => Promise<readonly Row[]>,
    add: (counts: Counts, row: Row, scope: Scope) => void,
  ): Part<Counts> =>
  async (db, scope, counts, { behind, limit }) => {
    const { officeId, from, to } = scope
    const last = behind && { at: instantOf(behind.at), id: behind.id as Id }
    const rows = await list(db, { officeId, from, to, behind: last, limit })
    for (const row of rows) add(counts, row, scope)
    return rows
  }

/** Counts one part after the other: a part with fewer rows than the limit is over. */
export const inParts = <Counts>(
  none: () => Counts,
  parts: readonly Part<Counts>[],
): Counting<Counts> => ({
  none,
  parts: parts.length,
  async step(db, scope, counts, { place: { part, behind }, limit }) {
    const rows = (await parts[part]?.(db, scope, counts, { behind, limit })) ?? []
    const last = rows.at(-1)
    if (last && rows.length >= limit)
      return { read: rows.length, next: { part, behind: { at: last.at, id: last.id } } }
    const isOver = part + 1 >= parts.length
    return { read: rows.length, next: isOver ? undefined : { part: part + 1, behind: undefined } }
  },
})
