import { PostgresDialect } from 'kysely'
import pg from 'pg'

/* Parse int8 as numbers: our counts, sums and times stay below 2^53. By default pg returns text. */
const INT8 = 20
const NUMERIC = 1700

/** PostgreSQL through a connection pool; integers arrive as numbers. */
export function postgresDialect(url: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // No query of ours takes half a minute: the client is gone.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    types: {
      getTypeParser(oid, format) {
        if (oid === INT8 || oid === NUMERIC) return Number
        return pg.types.getTypeParser(oid, format)
      },
    },
  })
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', () => {})
  // The pool does not listen on connections in use; their next query reports the error.
  pool.on('connect', (connection) => {
    connection.on('error', () => {})
  })
  return new PostgresDialect({ pool })
}
