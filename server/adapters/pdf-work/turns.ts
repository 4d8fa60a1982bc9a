/**
 * Lets at most `places` tasks run at a time, first come first served. Waiting for a turn is not counted
 * as working, so a task's own time limit starts when its turn comes.
 */
export function turns(places: number) {
  let free = places
  const waiting: (() => void)[] = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
