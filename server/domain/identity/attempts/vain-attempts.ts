import type { OfficeId, UserId } from '#server/domain/ids.ts'
import { after, earliest, type Instant, latest, minutes } from '#server/domain/time.ts'

/** The log has at most one event in this time about equal failed attempts. */
export const VAIN_WINDOW = minutes(1)
/** First failures of one kind that one process logs at once in a minute; more wait for the end of theirs. */
export const FIRSTS_A_MINUTE = 60
/** Windows of one process; more failures are counted without their network. */
export const MOST_VAIN_WINDOWS = 5_000
/** Networks of one account that have events of their own; attempts from more of them are one event. */
export const NETWORKS_APART = 3

/** A failed attempt to sign in, as its event tells it. */
export type VainAttempt = {
  /** Attempts with the same key are counted together. */
  readonly key: string
  readonly action: 'session.refused' | 'session.second-factor-refused' | 'session.throttled'
  readonly details: Readonly<Record<string, string>>
  /** Both null for an unknown account. */
  readonly officeId: OfficeId | null
  readonly userId: UserId | null
  readonly ip: string
  readonly device: string
  readonly requestId: string
  /** Whether the user is warned of it. */
  readonly isWarning: boolean
}

/** Equal failed attempts; all but the count and the times are those of the last one. */
export type VainCount = VainAttempt & {
  readonly attempts: number
  readonly firstAt: Instant
  readonly lastAt: Instant
}

/** The failed attempts that this process has not written yet. */
export type VainWindows = {
  /** Counts the attempt. Returns `first` if the caller has to log it instead, because nothing like it was logged. */
  note(attempt: VainAttempt, at: Instant): 'first' | 'counted'
  /** Counts an attempt that another process has logged at `loggedAt`. */
  join(attempt: VainAttempt, at: Instant, loggedAt: Instant): void
  /** Ends the window of an attempt that could not be logged. */
  forget(key: string): void
  /** Takes the counts of the windows that have ended, or of all. */
  take(at: Instant, which: 'ended' | 'all'): VainCount[]
  /** Returns counts that could not be written. */
  giveBack(counts: readonly VainCount[]): void
}

type Window = { until: Instant; count: VainCount | undefined }

export function createVainWindows(): VainWindows {
  const windows = new Map<string, Window>()
  const firsts = new Map<VainAttempt['action'], { until: Instant; left: number }>()

  /* Wrong passwords are many: they do not use up what refusals for their number may log at once. */
  function mayBeFirst({ action }: VainAttempt, at: Instant): boolean {
    const known = firsts.get(action)
    const now =
      known && !isOver(known.until, at)
        ? known
        : { until: after(at, VAIN_WINDOW), left: FIRSTS_A_MINUTE }
    firsts.set(action, now)
    now.left -= 1
    return now.left >= 0
  }

  function count(attempt: VainAttempt, at: Instant, until: Instant) {
    const window = windows.get(attempt.key) ?? { until, count: undefined }
    window.count = sumOf(window.count, { ...attempt, attempts: 1, firstAt: at, lastAt: at })
    windows.set(attempt.key, window)
  }

  return {
    note(attempt, at) {
      const until = after(at, VAIN_WINDOW)
      const isFull = windows.size >= MOST_VAIN_WINDOWS && !windows.has(attempt.key)
      const own = isFull ? withoutNetwork(attempt) : attempt
      if (windows.has(own.key) || isFull || !mayBeFirst(own, at)) {
        count(own, at, until)
        return 'counted'
      }
      windows.set(own.key, { until, count: undefined })
      return 'first'
    },
    join(attempt, at, loggedAt) {
      count(attempt, at, after(at, VAIN_WINDOW))
      const window = windows.get(attempt.key)
      if (window) window.until = after(loggedAt, VAIN_WINDOW)
    },
    forget: (key) => void windows.delete(key),
    take(at, which) {
      const taken: VainCount[] = []
      for (const [key, window] of windows) {
        if (which === 'ended' && !isOver(window.until, at)) continue
        if (window.count) taken.push(window.count)
        // A count is written as an event at once, so the next one may come a minute later.
        if (window.count) windows.set(key, { until: after(at, VAIN_WINDOW), count: undefined })
        else windows.delete(key)
      }
      return taken
    },
    giveBack(counts) {
      for (const kept of counts) {
        const { until, count: since } = windows.get(kept.key) ?? { until: kept.lastAt }
        windows.set(kept.key, { until, count: sumOf(since, kept) })
      }
    },
  }
}

/** Also if the clock was set back: otherwise nothing would be written until it is as late again. */
const isOver = (until: Instant, at: Instant) => until <= at || until > after(at, VAIN_WINDOW)

function sumOf(one: VainCount | undefined, other: VainCount): VainCount {
  if (!one) return other
  const last = one.lastAt > other.lastAt ? one : other
  const isOfOneUser = one.userId === other.userId
  return {
    ...last,
    officeId: isOfOneUser ? last.officeId : null,
    userId: isOfOneUser ? last.userId : null,
    attempts: one.attempts + other.attempts,
    firstAt: earliest(one.firstAt, other.firstAt),
    lastAt: latest(one.lastAt, other.lastAt),
  }
}

/**
 * The counts as they are logged: one for all unknown accounts, and one for all networks of a user if they are many.
 * Otherwise an attacker who changes networks and addresses would fill the log.
 */
export function gathered(counts: readonly VainCount[]): VainCount[] {
  const groups = Map.groupBy(counts, (count) => withoutNetwork(count).key)
  return [...groups.values()].flatMap((group) => {
    const isApart = group[0]?.userId != null && group.length <= NETWORKS_APART
    if (isApart || group.length === 1) return group
    return group.map((count) => ({ ...count, ...withoutNetwork(count) })).reduce(sumOf)
  })
}

/** The attempt as one of all networks: of its user, or of all unknown accounts. */
function withoutNetwork(attempt: VainAttempt): VainAttempt {
  const { action, details, userId } = attempt
  const facts = Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    ...attempt,
    key: `${userId ?? 'unknown'}:${action}:${JSON.stringify(facts)}`,
    ip: '',
    device: '',
    details: { ...details, networks: 'several' },
  }
}
