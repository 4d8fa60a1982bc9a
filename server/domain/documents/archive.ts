import { z } from 'zod'
import { DocumentId } from '#server/domain/ids.ts'
import {
  after,
  before,
  type Duration,
  days,
  Instant,
  latest,
  milliseconds,
  minutes,
} from '#server/domain/time.ts'

/**
 * The state of a document's long-term proof: `waiting` for an authority that did not answer, `kept` in the file
 * until renewal, or `left-out` because the file allows no changes.
 */
const ArchiveState = z.enum(['waiting', 'kept', 'left-out'])

export const Archive = z.object({
  documentId: DocumentId,
  /** The version that was tried last or that contains the proof. */
  version: z.int().positive(),
  state: ArchiveState,
  stateSince: Instant,
  /** Number of failures since it last succeeded. */
  attempts: z.int().nonnegative(),
  /** When to try again; when to renew, if it is kept. */
  dueAt: Instant,
  /** Expiry of the newest timestamp; null if there is none. */
  holdsUntil: Instant.nullable(),
  /** Why the last attempt failed; a code for the log. */
  fault: z.string().nullable(),
})
export type Archive = z.infer<typeof Archive>

/** Renew well before the old timestamp expires. */
const RENEWAL_AHEAD = days(90)

/** When to renew: 90 days before `holdsUntil`, or half way if it holds for less than 180. */
export function renewalOf(holdsUntil: Instant, now: Instant): Instant {
  const halfWay = after(now, milliseconds(Math.max(0, Math.floor((holdsUntil - now) / 2))))
  return latest(before(holdsUntil, RENEWAL_AHEAD), halfWay)
}

const FIRST_PAUSE = minutes(2)
const LONGEST_PAUSE = days(1)

/** The next attempt: soon at first, then less often, at least once a day. */
export function nextTry(attempts: number, now: Instant): Instant {
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE)
  return after(now, pause as Duration)
}
