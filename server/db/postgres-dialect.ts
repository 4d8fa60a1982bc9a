import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely'
import pg from 'pg'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'

/* Parse int8 as numbers: our counts, sums and times stay below 2^53. By default pg returns text. */
const INT8 = 20
const NUMERIC = 1700

/** In ms; 0 is no limit. */
export type Limits = {
  /** PostgreSQL ends a statement that takes longer. */
  statement: number
  /** PostgreSQL ends a transaction that waits so long for its next statement, as that of a machine that lost its power. */
  idle: number
  /** A connection on which nothing came for so long is gone: PostgreSQL would have ended the statement before. */
  silence: number
  /** For a connection: of the pool, or a new one. */
  connection: number
}

/** No query of ours takes half a minute. A transaction that pauses so long has lost its client. */
const USUAL: Limits = { statement: 30_000, idle: 30_000, silence: 40_000, connection: 15_000 }

/** In ms: a firewall forgets a connection on which nothing passes, and the system asks rarely unless told. */
const KEEP_ALIVE = 10_000

/** For migrations, and for what reads or writes whole tables, and waits for a disk meanwhile. */
export const PATIENT: Limits = { statement: 0, idle: 600_000, silence: 0, connection: 15_000 }

/**
 * PostgreSQL through a connection pool; integers arrive as numbers. Its queries throw `DatabaseUnreachable` if the connection is lost,
 * or if none is free in time.
 */
export function postgresDialect(url: string, limits = USUAL): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // As options, because pg sends no 0: a limit of the user or the database would hold then.
    options: `-c statement_timeout=${limits.statement} -c idle_in_transaction_session_timeout=${limits.idle}`,
    connectionTimeoutMillis: limits.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
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
    endWhenSilent(connection, limits.silence)
    endWhenLost(connection)
  })
  const dialect = new PostgresDialect({ pool })
  dialect.createDriver = () => namingLosses(committingTogether(new PostgresDriver({ pool })))
  return dialect
}

/** Without it, what waits for a machine that is gone waits until the system gives up: a quarter of an hour. */
function endWhenSilent(client: pg.PoolClient, limit: number): void {
  const { stream } = wireOf(client)
  stream.setTimeout(limit, () => stream.destroy(new Error(SILENT)))
}

const SILENT = 'nothing came in time'

/** PostgreSQL says that it ends the connection, and closes it a moment later: meanwhile the pool would give it to the next query. */
function endWhenLost(client: pg.PoolClient): void {
  wireOf(client).on('errorMessage', (error) => {
    if (isLoss(error)) void (client as unknown as pg.Client).end()
  })
}

type Wire = EventEmitter<{ errorMessage: [unknown] }> & { stream: Socket }

/** pg documents it, its types do not have it. */
const wireOf = (client: pg.PoolClient) => (client as unknown as { connection: Wire }).connection

/** Of lost connections that have no code: of pg, and ours. */
const LOSSES =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed)|timeout exceeded when trying to connect|nothing came in time)/

/**
 * The connection is broken (08), PostgreSQL ends it (57P01 to 57P05, and 25P03 and 25P04 for a transaction that took too long) or
 * starts (57P03), or it has no place for another client (53300). A pooler before PostgreSQL says 08P01 of all that it loses.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const LOST_STATES = /^(?:08|57P0[1-5]|25P0[34]|53300)/

/** `ENOENT` is the socket of a PostgreSQL on this machine that does not run. */
const LOST_CODES =
  /^(?:ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTDOWN|EHOSTUNREACH|ENETDOWN|ENETUNREACH)/

function isLoss(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const state = sqlStateOf(error)
  if (state !== undefined) return LOST_STATES.test(state)
  return ('code' in error && LOST_CODES.test(String(error.code))) || LOSSES.test(error.message)
}

async function orUnreachable<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error) => {
    throw isLoss(error) ? new DatabaseUnreachable(error) : error
  })
}

function namingLosses(driver: PostgresDriver): PostgresDriver {
  const acquire = driver.acquireConnection.bind(driver)
  const named = new WeakSet<DatabaseConnection>()
  driver.acquireConnection = async (...options) => {
    const connection = await orUnreachable(acquire(...options))
    if (named.has(connection)) return connection
    named.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = <R>(...query: Parameters<typeof execute>) =>
      orUnreachable(execute<R>(...query))
    return connection
  }
  return driver
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
