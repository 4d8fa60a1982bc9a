import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { Queue, QueueOf, QueueOptions } from '#server/ports/memory.ts'

const RETRY_AFTER = seconds(5)

type Waiting = { begin(): void; owner: string | undefined }

/** Waiting for a turn does not count as working: a task's own time limit starts when its turn comes. */
export function createQueue(limits: QueueOf): Queue {
  const { name, places, waiting: mostWaiting = Infinity, ofOneOwner = Infinity } = limits
  const { patientWaiting = 16 } = limits
  const reserve = places > 1 ? 1 : 0
  const waiting: Waiting[] = []
  const patient: Waiting[] = []
  const owned = new Map<string, number>()
  /** Of each owner with tasks. */
  const lastTurns = new Map<string, number>()
  let turns = 0
  let free = places

  /** Hands a free place over directly: no task that comes now gets ahead of those that wait. */
  function admit(): void {
    const lane = waiting.length > 0 ? waiting : patient
    if (free <= (lane === patient ? reserve : 0)) return
    const next = take(lane)
    if (!next) return
    free -= 1
    next.begin()
  }

  /** The first task of the owner whose last turn is longest ago: many tasks of one owner delay another's by one. */
  function take(lane: Waiting[]): Waiting | undefined {
    const lastTurnOf = ({ owner = '' }: Waiting) => lastTurns.get(owner) ?? 0
    const [first, ...others] = lane
    if (!first) return undefined
    const next = others.reduce(
      (best, one) => (lastTurnOf(one) < lastTurnOf(best) ? one : best),
      first,
    )
    lane.splice(lane.indexOf(next), 1)
    if (next.owner !== undefined) lastTurns.set(next.owner, ++turns)
    return next
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
    else {
      owned.delete(owner)
      lastTurns.delete(owner)
    }
  }

  async function inTurn<T>(
    task: () => Promise<T>,
    { isPatient = false, owner, signal }: QueueOptions = {},
  ): Promise<T> {
    if (isPatient && isCrowded()) refuse(patient.length, 'patient tasks wait')
    if (!isPatient && isFull()) refuse(waiting.length, 'tasks wait')
    signal?.throwIfAborted()
    own(owner, 1)
    try {
      await turnIn(isPatient ? patient : waiting, owner, signal)
    } catch (error) {
      own(owner, -1)
      throw error
    }
    try {
      return await task()
    } finally {
      own(owner, -1)
      free += 1
      admit()
    }
  }

  /** Resolves when a place is taken; rejects if the caller gives up before. */
  function turnIn(
    lane: Waiting[],
    owner: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        lane.splice(lane.indexOf(entry), 1)
        reject(signal?.reason)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const entry = { begin, owner }
      signal?.addEventListener('abort', leave, { once: true })
      lane.push(entry)
      admit()
    })
  }

  return { inTurn, isCrowded }
}
