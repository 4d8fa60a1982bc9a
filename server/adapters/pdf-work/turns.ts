import { Problem } from '#server/domain/problem.ts'

type Lane = (() => void)[]

/**
 * Lets at most `places` tasks run at a time, first come first served. A patient task comes after all others
 * and leaves one place free for them. Waiting for a turn is not counted as working, so a task's own time
 * limit starts when its turn comes.
 *
 * @param options.patience most patient tasks that wait; one more is refused
 */
export function turns(places: number, { patience = 16 }: { patience?: number } = {}) {
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

  const isCrowded = () => patient.length >= patience

  /** @throws {Problem} `too-many-attempts` for a patient task when too many wait already */
  async function inTurn<T>(task: () => Promise<T>, isPatient = false): Promise<T> {
    if (isPatient && isCrowded())
      throw new Problem('too-many-attempts', `${patient.length} patient tasks wait already`)
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

  return { inTurn, isCrowded }
}
