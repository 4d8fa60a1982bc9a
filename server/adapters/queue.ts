import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { Queue, QueueOf, QueueOptions } from '#server/ports/memory.ts'

const RETRY_AFTER = seconds(5)

/** Waiting for a turn does not count as working: a task's own time limit starts when its turn comes. */
export function createQueue(limits: QueueOf): Queue {
  const { name, places, waiting: mostWaiting = Infinity, ofOneOwner = Infinity } = limits
  const { patientWaiting = 16 } = limits
  const reserve = places > 1 ? 1 : 0
  const waiting: (() => void)[] = []
  const patient: (() => void)[] = []
  const owned = new Map<string, number>()
  let free = places

  /** Hands a free place over directly: no task that comes now gets ahead of those that wait. */
  function admit(): void {
    const lane = waiting.length > 0 ? waiting : patient
    if (free <= (lane === patient ? reserve : 0)) return
    const next = lane.shift()
    if (!next) return
    free -= 1
    next()
  }

  function refuse(count: number, what: string): never {
    throw new Problem('too-many-attempts', `${name}: ${count} ${what} already`, {
      retryAfter: RETRY_AFTER,
      kind: 'crowd',
    })
  }

  const isFull = () => free <= 0 && waiting.length >= mostWaiting
  const isCrowded = () => patient.length >= patientWaiting

  function own(owner: string | undefined, change: 1 | -1): void {
    if (owner === undefined) return
    const count = (owned.get(owner) ?? 0) + change
    if (count > ofOneOwner) refuse(ofOneOwner, 'tasks of one owner')
    if (count > 0) owned.set(owner, count)
    else owned.delete(owner)
  }

  async function inTurn<T>(
    task: () => Promise<T>,
    { isPatient = false, owner }: QueueOptions = {},
  ): Promise<T> {
    if (isPatient && isCrowded()) refuse(patient.length, 'patient tasks wait')
    if (!isPatient && isFull()) refuse(waiting.length, 'tasks wait')
    own(owner, 1)
    await new Promise<void>((resolve) => {
      const lane = isPatient ? patient : waiting
      lane.push(resolve)
      admit()
    })
    try {
      return await task()
    } finally {
      own(owner, -1)
      free += 1
      admit()
    }
  }

  return { inTurn, isCrowded }
}
