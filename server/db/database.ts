import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely } from 'kysely'
import type { DialectName } from '#server/db/migrations/columns.ts'
import { migrateToLatest } from './migrate.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'
import type { Reader, Transaction } from './transaction.ts'

export type { DialectName }

export type Database = Reader & {
  readonly dialect: DialectName
  /**
   * Runs `work` in one transaction: all of it is durable once this returns, nothing of it when it throws.
   * Reading through the database, or beginning another transaction, inside of `work` throws: on SQLite it
   * would wait for itself for ever, on PostgreSQL it would silently stand outside. Nothing but SQL may be
   * awaited inside; SQLite notices when something else is. After a deadlock `work` is run again.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>
  /** Brings the tables to what this code expects. May run twice, and in two processes at once. */
  migrate(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the office's database.
 *
 * @param url `postgres://…`, or the file of an SQLite database, which is made when it is not there
 */
export function openDatabase(url: string): Database {
  if (/^postgres(?:ql)?:\/\//.test(url)) {
    const pool = new Kysely<Tables>({ dialect: postgresDialect(url) })
    return databaseOf('postgres', pool, pool)
  }
  // Readers have a connection of their own, which cannot write.
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(url, 'read-write') })
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(url, 'read-only') })
  return databaseOf('sqlite', writer, reader)
}

function databaseOf(
  dialect: DialectName,
  writer: Kysely<Tables>,
  reader: Kysely<Tables>,
): Database {
  const inside = new AsyncLocalStorage<true>()
  const mustBeOutside = () => {
    if (inside.getStore()) throw new Error('the database was used inside of a transaction')
  }

  const selectFrom = (...args: Parameters<Kysely<Tables>['selectFrom']>) => {
    mustBeOutside()
    return reader.selectFrom(...args)
  }

  return {
    dialect,
    selectFrom: selectFrom as Kysely<Tables>['selectFrom'],
    async transaction(work) {
      mustBeOutside()
      const run = () =>
        writer
          .transaction()
          .execute((trx) =>
            inside.run(true, () => (dialect === 'sqlite' ? watched(work, trx) : work(trx))),
          )
      return await runAgainAfterDeadlock(run)
    },
    migrate: () => migrateToLatest(writer, dialect),
    async close() {
      await writer.destroy()
      if (reader !== writer) await reader.destroy()
    },
  }
}

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01'
const RUNS_AFTER_DEADLOCK = 3
/** The other one takes what was let go before we ask for it again. */
const PAUSE_AFTER_DEADLOCK_MS = 50

/**
 * PostgreSQL ends one of two transactions that wait for each other, and nothing of it stays: it is run
 * again, behind the other one.
 */
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
 * SQL on SQLite is synchronous, so that a transaction ends before the event loop turns. If it turned,
 * something else was awaited while every other writer stood still.
 */
async function watched<T>(work: (trx: Transaction) => Promise<T>, trx: Transaction): Promise<T> {
  let hasTurned = false
  const turn = setImmediate(() => {
    hasTurned = true
  })
  try {
    const result = await work(trx)
    if (hasTurned) throw new Error('something other than SQL was awaited inside of a transaction')
    return result
  } finally {
    clearImmediate(turn)
  }
}
