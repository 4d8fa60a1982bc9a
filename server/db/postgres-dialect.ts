import { PostgresDialect } from 'kysely'
import pg from 'pg'

/* Counts, sums and milliseconds all stay below 2^53; pg would hand them over as text. */
const INT8 = 20
const NUMERIC = 1700

/** PostgreSQL through a pool of connections; whole numbers arrive as numbers. */
export function postgresDialect(url: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // No request of ours takes half a minute: whoever does has lost the other end.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser(oid, format) {
        if (oid === INT8 || oid === NUMERIC) return Number
        return pg.types.getTypeParser(oid, format)
      },
    },
  })
  // A connection that breaks while it rests is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => {})
  // While it is lent the pool does not listen: whoever asks it next is told.
  pool.on('connect', (connection) => {
    connection.on('error', () => {})
  })
  return new PostgresDialect({ pool })
}
