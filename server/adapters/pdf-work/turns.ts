type Lane = (() => void)[]

/**
 * Lets at most `places` tasks run at a time, first come first served. A patient task comes after all others
 * and leaves one place free for them. Waiting for a turn is not counted as working, so a task's own time
 * limit starts when its turn comes.
 */
export function turns(places: number) {
  let free = places
  const reserve = places > 1 ? 1 : 0
  const waiting: Lane = []
  const patient: Lane = []

  function admit(): void {
    const lane = waiting.length > 0 ? waiting : patient
    if (free <= (lane === patient ? reserve : 0)) return
    const next = lane.shift()
    if (!next) return
    free -= 1
    next()
  }

  return async <T>(task: () => Promise<T>, isPatient = false): Promise<T> => {
    await new Promise<void>((resolve) => {
      const lane = isPatient ? patient : waiting
      lane.push(resolve)
      admit()
    })
    try {
      return await task()
    } finally {
      free += 1
      admit()
    }
  }
}
