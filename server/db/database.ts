import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type CompiledQuery,
  type ControlledTransaction,
  Kysely,
  type KyselyConfig,
  type RawBuilder,
  sql,
} from 'kysely'
import type { DialectName } from '#server/db/migrations/columns.ts'
import { type Duration, milliseconds } from '#server/domain/time.ts'
import { withEventsAtEnd } from './audit/events-at-end.ts'
import { withReserve } from './full-disk.ts'
import { migrateToLatest, stepOf } from './migrate.ts'
import { optimizeSqlite } from './optimize-sqlite.ts'
import { PATIENT, postgresDialect } from './postgres-dialect.ts'
import { nameOfQuery } from './query-names.ts'
import { type ApartRead, readerThread } from './reader-thread.ts'
import { restoreRows } from './restore-rows.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'
import type { Reader, Transaction } from './transaction.ts'
import { withKnownEnd } from './unknown-commit.ts'

export type { DialectName }

export type Database = Reader & {
  readonly dialect: DialectName
  /**
   * Runs `work` in one transaction: committed when this returns, rolled back when it throws. Inside `work`,
   * reading through the database or opening another transaction throws: SQLite would deadlock, and PostgreSQL
   * would run it outside the transaction. `work` may await only SQL; SQLite detects anything else. Runs `work`
   * again after a deadlock, and on a full disk if there is a reserve.
   *
   * @throws {Problem} `disk-full`; `commit-unknown` if PostgreSQL may have committed it or not
   * @throws {DatabaseUnreachable} if PostgreSQL does not answer
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs one statement that is a transaction by itself: one round trip, where a transaction has three and holds its locks for
   * two of them. Runs it again as `transaction` does.
   *
   * @param make is called when a connection is free, and again for another run; `read` gets the rows after the commit
   * @throws {Problem} `disk-full`; `commit-unknown` if PostgreSQL may have committed it or not
   * @throws {DatabaseUnreachable} if PostgreSQL does not answer
   */
  executeAlone<Row, T>(make: () => AloneStatement<Row, T>): Promise<T>
  /** Whether the caller is inside of a transaction. */
  isInTransaction(): boolean
  /**
   * Reads where no other request waits for it: in a thread of its own on SQLite, whose queries block the thread that runs
   * them; PostgreSQL ends what is late.
   *
   * @param patience how long it may take
   * @returns undefined if it takes longer, or waits too long for such reads before it
   */
  readApart<Row>(query: CompiledQuery<Row>, patience: Duration): Promise<ApartRead<Row> | undefined>
  /**
   * One consistent state of all tables, whatever others write meanwhile; they do not wait for it. End it soon: SQLite
   * keeps in its log, and PostgreSQL in its tables, what is replaced in the meantime.
   */
  snapshot(): Promise<Snapshot>
  /** Migrates the tables to the current schema. Safe to run twice, and in two processes at once. */
  migrate(): Promise<void>
  /**
   * Fills an empty database with the rows of another, whose schema was at `step`, and migrates them to the current
   * schema, in one transaction.
   *
   * @throws {UnknownStepError}, {NotEmptyError}
   */
  restore(step: string, load: (trx: Transaction) => Promise<void>): Promise<void>
  /** Renews what the planner knows about tables that have grown, from a sample. PostgreSQL does that by itself. */
  optimize(): Promise<void>
  close(): Promise<void>
}

/** A statement that is a transaction by itself, and what its rows mean. */
export type AloneStatement<Row, T> = { statement: RawBuilder<Row>; read(rows: Row[]): T }

/** Reads; must be ended. */
export type Snapshot = { readonly reader: Transaction; end(): Promise<void> }

/** Is told each query that ended, as `nameOfQuery` calls it, and how long it took. */
export type MeasureQuery = (what: string, took: Duration) => void

/**
 * Opens the office's database.
 *
 * @param url `postgres://…`, or the path of an SQLite database, which is created if it does not exist
 * @param spendReserve makes room on a full disk; returns whether there was any
 */
export function openDatabase(
  url: string,
  spendReserve = () => false,
  measure?: MeasureQuery,
): Database {
  const measured: Pick<KyselyConfig, 'log'> = measure
    ? { log: (event) => measure(nameOfQuery(event), milliseconds(event.queryDurationMillis)) }
    : {}
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const pool = new Kysely<Tables>({ dialect: postgresDialect(url), ...measured })
    return databaseOf('postgres', {
      ...{ writer: pool, reader: pool, spendReserve },
      readApart: (query, patience) => readWithin(pool, query, patience),
      snapshot: () => snapshotOfPostgres(url),
      patiently: (work) => withPatient(url, work),
      close: () => pool.destroy(),
    })
  }
  // Readers have a separate, read-only connection.
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(url, 'read-write'), ...measured })
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(url, 'read-only'), ...measured })
  const thread = readerThread(url)
  return databaseOf('sqlite', {
    ...{ writer, reader, spendReserve },
    readApart: thread.read,
    snapshot: () => snapshotOfSqlite(url),
    patiently: (work) => work(writer),
    async close() {
      await writer.destroy()
      await reader.destroy()
      await thread.close()
    },
  })
}

/** In ms. A statement waits for a processor, too, and a short one must not be cut off for that. */
const SHORTEST_LIMIT = 1000

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const QUERY_CANCELED = '57014'

async function readWithin<Row>(
  pool: Kysely<Tables>,
  query: CompiledQuery<Row>,
  patience: Duration,
): Promise<ApartRead<Row> | undefined> {
  const began = performance.now()
  const limit = String(Math.max(SHORTEST_LIMIT, Math.ceil(patience)))
  try {
    const { rows } = await pool
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        // Where the estimates of an index and of the whole table are close, the planner would take either. With several processes
        // the same statement takes very different times, and all processors of the database.
        await sql`select set_config('statement_timeout', ${limit}, true), set_config('enable_seqscan', 'off', true),
          set_config('max_parallel_workers_per_gather', '0', true)`.execute(trx)
        return await trx.executeQuery(query)
      })
    return { rows, took: milliseconds(performance.now() - began) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === QUERY_CANCELED) return undefined
    throw error
  }
}

async function withPatient<T>(url: string, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const own = new Kysely<Tables>({ dialect: postgresDialect(url, PATIENT) })
  return await work(own).finally(() => own.destroy())
}

async function snapshotOfPostgres(url: string): Promise<Snapshot> {
  // The reader may wait for a slow disk between two queries.
  const own = new Kysely<Tables>({ dialect: postgresDialect(url, PATIENT) })
  return await snapshotOf(own, () =>
    own
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(),
  )
}

async function snapshotOfSqlite(file: string): Promise<Snapshot> {
  // A connection of its own: others of this process read what is new.
  const own = new Kysely<Tables>({ dialect: sqliteDialect(file, 'read-only') })
  return await snapshotOf(own, () => own.startTransaction().execute())
}

/** @param own its pool, which ends with it */
async function snapshotOf(
  own: Kysely<Tables>,
  begin: () => Promise<ControlledTransaction<Tables>>,
): Promise<Snapshot> {
  try {
    const trx = await begin()
    // The state is that of the first query.
    await stepOf(trx)
    const end = () =>
      trx
        .rollback()
        .execute()
        .finally(() => own.destroy())
    return { reader: trx, end }
  } catch (error) {
    await own.destroy()
    throw error
  }
}

type Opened = {
  writer: Kysely<Tables>
  reader: Kysely<Tables>
  spendReserve: () => boolean
  /** With the limits for work on whole tables: see `PATIENT`. */
  patiently: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
} & Pick<Database, 'readApart' | 'snapshot' | 'close'>

function databaseOf(
  dialect: DialectName,
  { writer, reader, spendReserve, patiently, readApart, snapshot, close }: Opened,
): Database {
  const inside = new AsyncLocalStorage<true>()
  const mustBeOutside = () => {
    if (inside.getStore()) throw new Error('the database was used inside of a transaction')
  }

  const selectFrom = (...args: Parameters<Kysely<Tables>['selectFrom']>) => {
    mustBeOutside()
    return reader.selectFrom(...args)
  }
  const begin = <T>(work: (trx: Transaction) => Promise<T>) =>
    writer.transaction().execute((trx) => inside.run(true, () => work(trx)))

  return {
    dialect,
    selectFrom: selectFrom as Kysely<Tables>['selectFrom'],
    async transaction(work) {
      mustBeOutside()
      const inSqlite = () => begin((trx) => watched(() => withEventsAtEnd(trx, () => work(trx))))
      const inPostgres = () =>
        withKnownEnd((commits) =>
          begin(async (trx) => {
            const result = await withEventsAtEnd(trx, () => work(trx))
            commits()
            return result
          }),
        )
      const run = dialect === 'sqlite' ? inSqlite : inPostgres
      return await withReserve(() => runAgainAfterDeadlock(run), spendReserve)
    },
    async executeAlone(make) {
      mustBeOutside()
      const run = () => withKnownEnd((commits) => executeAlone(writer, make, commits))
      const { rows, read } = await withReserve(() => runAgainAfterDeadlock(run), spendReserve)
      return read(rows)
    },
    isInTransaction: () => inside.getStore() === true,
    async readApart(query, patience) {
      mustBeOutside()
      return await readApart(query, patience)
    },
    snapshot,
    migrate: () => patiently((db) => migrateToLatest(db, dialect)),
    restore: (step, load) => patiently((db) => restoreRows(db, dialect, step, load)),
    optimize: () =>
      dialect === 'sqlite'
        ? optimizeSqlite((work) => writer.transaction().execute(work))
        : Promise.resolve(),
    close,
  }
}

async function executeAlone<Row, T>(
  writer: Kysely<Tables>,
  make: () => AloneStatement<Row, T>,
  commits: () => void,
) {
  return await writer.connection().execute(async (connection) => {
    const { statement, read } = make()
    commits()
    const { rows } = await statement.execute(connection)
    return { rows, read }
  })
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01'
const RUNS_AFTER_DEADLOCK = 3
/** Lets the other transaction take its locks before we retry. */
const PAUSE_AFTER_DEADLOCK_MS = 50

/** PostgreSQL rolls back one of two deadlocked transactions: run it again, after the other one. */
async function runAgainAfterDeadlock<T>(
  run: () => Promise<T>,
  runsLeft = RUNS_AFTER_DEADLOCK,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK_DETECTED
    if (!isDeadlock || runsLeft === 0) throw error
    await pause(PAUSE_AFTER_DEADLOCK_MS)
    return await runAgainAfterDeadlock(run, runsLeft - 1)
  }
}

/**
 * SQLite runs SQL synchronously, so a transaction finishes within one turn of the event loop. A second turn
 * means that `work` awaited something else while blocking all other writers.
 */
async function watched<T>(work: () => Promise<T>): Promise<T> {
  let hasTurned = false
  const turn = setImmediate(() => {
    hasTurned = true
  })
  try {
    const result = await work()
    if (hasTurned) throw new Error('something other than SQL was awaited inside of a transaction')
    return result
  } finally {
    clearImmediate(turn)
  }
}
