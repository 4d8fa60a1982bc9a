import { readFileSync, readlinkSync } from 'node:fs'
import { type Duration, milliseconds } from '#server/domain/time.ts'

/** Where the system tells how long this thread waits; undefined where it does not. */
export function ownRecord(): string | undefined {
  try {
    const record = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
    readFileSync(record)
    return record
  } catch {
    return undefined
  }
}

/**
 * How long a thread has been ready to run and had no processor, since it began; 0 where the system does not tell.
 *
 * @param record see `ownRecord`
 * @see https://www.kernel.org/doc/html/latest/scheduler/sched-stats.html, "/proc/<pid>/schedstat"
 */
export function waitedForProcessor(record: string | undefined): Duration {
  if (record === undefined) return milliseconds(0)
  try {
    const [, nanoseconds] = readFileSync(record, 'utf8').split(' ')
    return milliseconds(Number(nanoseconds) / 1e6)
  } catch {
    // The thread has ended.
    return milliseconds(0)
  }
}

/** The clock of a thread, which stands still while the thread waits for a processor; in milliseconds. */
export function clockWithoutWaits(record: string | undefined): number {
  for (;;) {
    const waited = waitedForProcessor(record)
    const time = performance.now()
    // A wait between the two readings would make the clock go back.
    if (waitedForProcessor(record) === waited) return time - waited
  }
}
