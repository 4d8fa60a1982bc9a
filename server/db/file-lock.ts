import { existsSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/**
 * Makes the file and locks it against other processes. If we crash, the system releases the lock, and the file stays.
 *
 * @returns releases the lock and removes the file; undefined if another process has the lock
 * @throws {Error} with the code `SQLITE_CANTOPEN` if the file cannot be made
 */
export function lockFile(file: string): (() => void) | undefined {
  const lock = new Sqlite(file, { timeout: 0 })
  try {
    // A journal would be a second file.
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      return undefined
    throw error
  }
  if (!existsSync(file)) {
    // Its last holder removed it just now: this lock is of no file that another process finds.
    lock.close()
    return undefined
  }
  return () => {
    rmSync(file, { force: true })
    lock.close()
  }
}
