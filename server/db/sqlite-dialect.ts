import Sqlite from 'better-sqlite3'
import { CompiledQuery, type DatabaseConnection, SqliteDialect, SqliteDriver } from 'kysely'

/**
 * SQLite that loses nothing: write-ahead log, synchronised at every commit, one writer that takes the
 * lock when it begins (a plain `begin` fails half-way when two processes write).
 *
 * @see https://www.sqlite.org/pragma.html#pragma_synchronous
 */
export function sqliteDialect(file: string, access: 'read-write' | 'read-only'): SqliteDialect {
  const config = { database: async () => openSqlite(file, access) }
  const dialect = new SqliteDialect(config)
  dialect.createDriver = () => immediate(new SqliteDriver(config))
  return dialect
}

function openSqlite(file: string, access: 'read-write' | 'read-only') {
  const db = new Sqlite(file)
  db.pragma('busy_timeout = 10000')
  db.pragma('journal_mode = WAL')
  // Of the connection, not of the file: this build's default may lose the last commits at a power cut.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  if (access === 'read-only') db.pragma('query_only = ON')
  return db
}

function immediate(driver: SqliteDriver): SqliteDriver {
  driver.beginTransaction = async (connection: DatabaseConnection) => {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  return driver
}
