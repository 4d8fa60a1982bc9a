import { type RawBuilder, sql } from 'kysely'

export type DialectName = 'sqlite' | 'postgres'

/** Column types whose names differ between the two databases. */
export type Columns = {
  /** Milliseconds since 1970. */
  readonly instant: RawBuilder<unknown>
  /** A duration in milliseconds. */
  readonly duration: RawBuilder<unknown>
  /** Another integer that may exceed 32 bits: bytes, counters, positions in the log. */
  readonly count: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** The clause after the closing parenthesis of `create table`. */
  readonly tableOptions: RawBuilder<unknown>
}

export function columnsOf(dialect: DialectName): Columns {
  const whole = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const sizes = { instant: whole, duration: whole, count: whole }
  return dialect === 'postgres'
    ? { ...sizes, bytes: sql`bytea`, tableOptions: sql`` }
    : { ...sizes, bytes: sql`blob`, tableOptions: sql`strict` }
}
