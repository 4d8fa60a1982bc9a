import { isOutOfSpace } from '#server/domain/installation/disk-floor.ts'
import { Problem } from '#server/domain/problem.ts'

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
    if (!isOutOfSpace(error)) throw error
    if (spendReserve()) return await withReserve(run, () => false)
    throw new Problem('disk-full', 'the database has no room', { cause: error })
  }
}
