import { type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** The types that the two databases call by different names. */
export type Columns = {
  /** Milliseconds since 1970, and every other number that outgrows 32 bits. */
  readonly instant: RawBuilder<unknown>
  /** The same type, where how many of something are counted. */
  readonly count: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** What stands behind the closing parenthesis of a table. */
  readonly tableOptions: RawBuilder<unknown>
}

export function columnsOf(dialect: DialectName): Columns {
  return dialect === 'postgres'
    ? { instant: sql`bigint`, count: sql`bigint`, bytes: sql`bytea`, tableOptions: sql`` }
    : { instant: sql`integer`, count: sql`integer`, bytes: sql`blob`, tableOptions: sql`strict` }
}
