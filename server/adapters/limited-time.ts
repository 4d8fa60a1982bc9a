import { runInNewContext } from 'node:vm'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, milliseconds, seconds } from '#server/domain/time.ts'

/** How long one task on a stranger's file may run. */
export const TIME_FOR_ONE_FILE = seconds(10)

/** A large file is only read through more often: one second for ten megabytes. */
export const timeFor = (bytes: number, longest: Duration): Duration =>
  milliseconds(longest + Math.round(bytes / 10_000))

/**
 * Runs synchronous work in this thread, and stops it after the limit. Nothing else in Node stops a loop of its own thread;
 * `finally` does not run in what is stopped.
 *
 * @throws {Problem} `pdf-too-complex` of kind `timed-out`, and what the work throws
 */
export function withinTime<T>(limit: Duration, work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: limit })
  } catch (error) {
    if (!isTimeout(error)) throw error
    const message = `stopped after ${limit} ms`
    throw new Problem('pdf-too-complex', message, { cause: error, kind: 'timed-out' })
  }
}

/** It is an `Error` of the other context. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
