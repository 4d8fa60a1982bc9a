import { randomUUID } from 'node:crypto'
import { type Duration, seconds } from '#server/domain/time.ts'

/** Which process runs the recurring jobs; `beat` grows while it is alive. Without a holder the place is free. */
export type SeenLeader = { holder: string | null; beat: number }

/** The row by which the processes of an installation agree. */
export type LeaderStore = {
  read(): Promise<SeenLeader | undefined>
  /** @returns undefined if the row is not as it was seen any more */
  lead(holder: string, seen: SeenLeader | undefined): Promise<SeenLeader | undefined>
  end(seen: SeenLeader): Promise<void>
}

export type LeaderEvents = {
  /** From now on this process leads, until the signal. */
  gained(deposed: AbortSignal): void
  failed(error: unknown): void
}

type Times = {
  /** Between two signs of life. */
  beat: Duration
  /** A leader that could not give a sign of life for so long is none any more. */
  validity: Duration
  /** How long the others wait for a sign of life. Longer than `validity`: two processes never lead at once. */
  patience: Duration
}

const TIMES: Times = { beat: seconds(4), validity: seconds(10), patience: seconds(14) }

/**
 * Takes part in the choice of the process that runs the recurring jobs: the first one, until it ends, or gives no sign of
 * life. Each process measures by its own monotonic clock how long it has seen no change, so that wrong clocks do no harm.
 *
 * A process that stands still as a whole (a suspended machine) notices only when it goes on: jobs must stay safe to run
 * in two processes at once.
 *
 * @returns a function that ends the lead, so that another process takes it at its next beat
 */
export function takePart(
  store: LeaderStore,
  { gained, failed }: LeaderEvents,
  times: Times = TIMES,
): () => Promise<void> {
  const self = randomUUID()
  let led: { as: SeenLeader; deposed: AbortController; timer: NodeJS.Timeout } | undefined
  let watched: { leader: SeenLeader; since: number } | undefined
  let next: NodeJS.Timeout | undefined
  let hasEnded = false

  function depose(): void {
    clearTimeout(led?.timer)
    led?.deposed.abort()
    led = undefined
  }

  /** @param began when the sign of life was asked for: the others may have seen it since then */
  function confirmed(as: SeenLeader, began: number): void {
    const left = Math.max(0, began + times.validity - performance.now())
    clearTimeout(led?.timer)
    const timer = setTimeout(depose, left).unref()
    const isNew = !led
    led = { as, timer, deposed: led?.deposed ?? new AbortController() }
    if (isNew) gained(led.deposed.signal)
  }

  function isSilent(leader: SeenLeader, now: number): boolean {
    const isChanged =
      watched?.leader.holder !== leader.holder || watched.leader.beat !== leader.beat
    if (!watched || isChanged) watched = { leader, since: now }
    return now - watched.since >= times.patience
  }

  /** The row may be an older one of ours: of a database that was put back, or after an answer that was lost. */
  async function leadOn(): Promise<SeenLeader | undefined> {
    const seen = led && (await store.read())
    return seen?.holder === self ? await store.lead(self, seen) : undefined
  }

  async function beat(): Promise<void> {
    const began = performance.now()
    const seen = led?.as ?? (await store.read())
    const isOpen = !seen?.holder || seen.holder === self || isSilent(seen, began)
    if (!isOpen || hasEnded) return
    const as = (await store.lead(self, seen)) ?? (await leadOn())
    if (as) confirmed(as, began)
    else depose()
  }

  let beating = Promise.resolve()
  function goOn(): void {
    beating = beat()
      .catch(failed)
      .then(() => {
        if (!hasEnded) next = setTimeout(goOn, times.beat).unref()
      })
  }
  goOn()

  return async () => {
    hasEnded = true
    clearTimeout(next)
    await beating
    const last = led?.as
    depose()
    if (last) await store.end(last).catch(failed)
  }
}
