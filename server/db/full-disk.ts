import { Problem } from '#server/domain/problem.ts'

/** SQLite's codes, and PostgreSQL's `disk_full`. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])

const isFull = (error: unknown) =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

/**
 * Runs a transaction; once more when the disk is full and room was kept aside. The database has rolled back the first
 * one.
 *
 * @param spendReserve makes room; returns whether there was any
 * @throws {Problem} `disk-full`
 */
export async function withReserve<T>(
  run: () => Promise<T>,
  spendReserve: () => boolean,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isFull(error)) throw error
    if (spendReserve()) return await withReserve(run, () => false)
    throw new Problem('disk-full', 'the database has no room', { cause: error })
  }
}
