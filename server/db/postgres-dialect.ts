import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'
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
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => committingTogether(new PostgresDriver({ pool }))
  return dialect
}

/** The code by which PostgreSQL answered; undefined for other errors, such as a lost connection. */
export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

/** The last statements of transactions, which are sent with their COMMIT. */
const lastStatements = new WeakMap<DatabaseConnection, string>()

/**
 * Sends the statement in one message with the COMMIT of the transaction on this connection: the locks that it takes are held for
 * no round trip. If it fails, the database does not commit.
 *
 * @param text has no parameters
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-MULTI-STATEMENT
 */
export function commitWith(connection: DatabaseConnection, text: string): void {
  lastStatements.set(connection, text)
}

function committingTogether(driver: PostgresDriver): PostgresDriver {
  const commit = driver.commitTransaction.bind(driver)
  driver.commitTransaction = async (connection) => {
    const last = lastStatements.get(connection)
    if (last === undefined) return await commit(connection)
    lastStatements.delete(connection)
    await connection.executeQuery(CompiledQuery.raw(`${last}; commit`))
  }
  return driver
}
