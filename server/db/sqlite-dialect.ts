import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { openSqlite, PATIENCE } from './open-sqlite.ts'

/**
 * Durable SQLite: write-ahead log, synced at every commit, one writer that takes the lock at `begin` (a plain
 * `begin` fails halfway when two processes write).
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function sqliteDialect(file: string, access: 'read-write' | 'read-only'): SqliteDialect {
  const config = { database: async () => rememberingStatements(openSqlite(file, access)) }
  const dialect = new SqliteDialect(config)
  // A transaction that only reads takes no lock: it sees what was committed when it first read.
  if (access === 'read-write') dialect.createDriver = () => immediate(new SqliteDriver(config))
  dialect.createAdapter = () => wholeMigrations(new SqliteAdapter())
  return dialect
}

/** More than our code has; a statement with a list of values differs per length. */
const MOST_STATEMENTS = 500

/** Caches compiled statements: for a short query, compiling is most of the work. */
function rememberingStatements(db: Sqlite.Database): SqliteDatabase {
  const known = new Map<string, Sqlite.Statement>()
  const statementFor = (sql: string): Sqlite.Statement => {
    const found = known.get(sql)
    // A statement that is still being read cannot be run again.
    const statement = found && !found.busy ? found : db.prepare(sql)
    known.delete(sql)
    known.set(sql, statement)
    if (known.size > MOST_STATEMENTS) known.delete(known.keys().next().value!)
    return statement
  }
  return {
    prepare: (sql) => statementFor(sql) as unknown as SqliteStatement,
    close: () => db.close(),
  }
}

function immediate(driver: SqliteDriver): SqliteDriver {
  driver.beginTransaction = async (connection: DatabaseConnection) => {
    const deadline = performance.now() + PATIENCE
    while (!(await isBegun(connection, deadline))) await sleep(1 + Math.random() * 4)
  }
  driver.rollbackTransaction = async (connection: DatabaseConnection) => {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } catch (error) {
      // SQLite has rolled back by itself, as it may on a full disk. The first error says why.
      if (!(error instanceof Error) || !/no transaction is active/.test(error.message)) throw error
    }
  }
  return driver
}

/* SQLite rolls back `create table` with its transaction, which Kysely does not assume. */
function wholeMigrations(adapter: SqliteAdapter): SqliteAdapter {
  return Object.defineProperty(adapter, 'supportsTransactionalDdl', { value: true })
}

/** Returns false while another process writes. */
async function isBegun(connection: DatabaseConnection, deadline: number): Promise<boolean> {
  try {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    return true
  } catch (error) {
    const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
    if (isBusy && performance.now() < deadline) return false
    throw error
  }
}
