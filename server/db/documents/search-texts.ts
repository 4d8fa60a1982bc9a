import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Search } from '#server/domain/documents/search/query.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { Duration } from '#server/domain/time.ts'

/** Texts that a step looks at, at most. */
const MOST_AT_ONCE = 500

export type TextRange = {
  officeId: OfficeId
  search: Search
  /** Of what was found, the texts that have all of `search.exact`, or those that have not. */
  isExact: boolean
  /**
   * Whether it took too long before. FTS5 looks beyond any range for what its letters or words have in common, so SQLite then compares
   * each text of the range.
   */
  wasGivenUp: boolean
  /** The lowest number. */
  from: number
  /** Above the highest number. */
  below: number
}

/**
 * The numbers of texts in a range that have what is searched for, highest first, and of no more than 500. Where there may be
 * more of them, they are below the last one. On SQLite there may be some of other offices.
 *
 * Both indexes find a text by three letters in a row. They are asked for a part of the time at once: what two frequent words
 * have in common takes as long to find as all documents with one of them.
 *
 * @returns undefined if it took longer than `patience`
 */
export async function searchRange(
  db: Database,
  range: TextRange,
  patience: Duration,
): Promise<{ numbers: number[]; took: Duration } | undefined> {
  const isIndexed = db.dialect === 'sqlite' && !range.wasGivenUp
  const query = isIndexed ? byTrigrams(db, range) : byTexts(db, range)
  const read = await db.readApart(query.compile(), patience)
  return read && { numbers: read.rows.map(({ number }) => Number(number)), took: read.took }
}

export const isFull = (numbers: readonly number[]): boolean => numbers.length === MOST_AT_ONCE

/**
 * The index is asked for what must occur; what must not is compared, because FTS5 would look for it in all texts.
 *
 * @see https://www.sqlite.org/fts5.html#full_text_query_syntax
 */
function byTrigrams(db: Database, { search, isExact, from, below }: TextRange) {
  const asked = isExact ? search.exact.map((whole) => [whole]) : search.groups
  let query = db
    .selectFrom(sql`document_trigrams(${matchOf(asked)})`.as('found'))
    .crossJoin('document_texts')
    .select('document_texts.number')
    .where(sql<boolean>`document_texts.number = found.rowid`)
    // FTS5 takes integers for limits, and all numbers arrive as floating point.
    .where(sql<boolean>`found.rowid >= cast(${from} as integer)`)
    .where(sql<boolean>`found.rowid < cast(${below} as integer)`)
  if (!isExact) query = query.where(({ and, not }) => not(and(search.exact.map(has))))
  return query.orderBy(sql`found.rowid`, 'desc').limit(MOST_AT_ONCE)
}

const matchOf = (groups: Search['groups']) =>
  groups.map((group) => `(${group.map(quoted).join(' OR ')})`).join(' AND ')

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** PostgreSQL has an index of trigrams that it uses by itself; SQLite compares all texts of the range. */
function byTexts(db: Database, { officeId, search, isExact, from, below }: TextRange) {
  const { groups, exact } = search
  let query = db
    .selectFrom('document_texts')
    .select('number')
    .where('office_id', '=', officeId)
    .where('number', '>=', from)
    .where('number', '<', below)
  for (const group of groups) query = query.where(({ or }) => or(group.map(has)))
  query = query.where(({ and, not }) => {
    const whole = and(exact.map(has))
    return isExact ? whole : not(whole)
  })
  return query.orderBy('number', 'desc').limit(MOST_AT_ONCE)
}

/** @param text letters, digits and spaces only */
const has = (text: string): RawBuilder<boolean> =>
  sql<boolean>`document_texts.text like ${`%${text}%`}`
