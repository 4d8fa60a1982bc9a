import Sqlite from 'better-sqlite3'
import { seconds } from '#server/domain/time.ts'

/** How long a transaction waits for the writer of another process. */
export const PATIENCE = seconds(10)

export function openSqlite(file: string, access: 'read-write' | 'read-only') {
  const db = new Sqlite(file, { timeout: PATIENCE })
  db.pragma('journal_mode = WAL')
  // A setting of the connection, not of the file; the default of this build may lose the last commits at a
  // power loss.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  if (access === 'read-only') db.pragma('query_only = ON')
  // SQLite's own wait would block the whole process; `begin` below waits asynchronously.
  else db.pragma('busy_timeout = 0')
  return db
}
