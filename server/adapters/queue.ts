import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

/**
 * Runs at most `atOnce` pieces of work at a time, the others in the order in which they came.
 *
 * The function that it returns throws `too-many-attempts` when `mostWaiting` wait already.
 */
export function createQueue({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []

  return async function queued<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce && waiting.length >= mostWaiting)
      throw new Problem('too-many-attempts', `${waiting.length} wait to be hashed`, {
        retryAfter: seconds(5),
      })
    // A place is handed over directly, so that nobody slips in between.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
