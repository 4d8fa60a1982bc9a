import { type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** The types that the two databases call by different names. */
export type Columns = {
  /** Milliseconds since 1970. */
  readonly instant: RawBuilder<unknown>
  /** A length of time in milliseconds. */
  readonly duration: RawBuilder<unknown>
  /** Any other whole number that outgrows 32 bits: bytes, counters, places in the log. */
  readonly count: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** What stands behind the closing parenthesis of a table. */
  readonly tableOptions: RawBuilder<unknown>
}

export function columnsOf(dialect: DialectName): Columns {
  const whole = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const sizes = { instant: whole, duration: whole, count: whole }
  return dialect === 'postgres'
    ? { ...sizes, bytes: sql`bytea`, tableOptions: sql`` }
    : { ...sizes, bytes: sql`blob`, tableOptions: sql`strict` }
}
