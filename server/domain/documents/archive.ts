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
 * How the proof for the long term of a document stands: `waiting` for an authority that did not answer,
 * `kept` in the file until it must be renewed, or `left-out` because the file admits nothing.
 */
const ArchiveState = z.enum(['waiting', 'kept', 'left-out'])

export const Archive = z.object({
  documentId: DocumentId,
  /** The version that was tried last, or that holds the proof. */
  version: z.int().positive(),
  state: ArchiveState,
  stateSince: Instant,
  /** How often it was tried in vain since it last stood. */
  attempts: z.int().nonnegative(),
  /** When it is worth another try; of one that is kept, when it must be renewed. */
  dueAt: Instant,
  /** Until when the newest timestamp proves by itself; null while there is none. */
  holdsUntil: Instant.nullable(),
  /** Why the last try was in vain; a code for the log. */
  fault: z.string().nullable(),
})
export type Archive = z.infer<typeof Archive>

/** A newer timestamp must be there well before the old one proves nothing any more. */
const RENEWAL_AHEAD = days(90)

/** When what holds until `holdsUntil` is renewed: 90 days before, or half way where it holds for less than 180. */
export function renewalOf(holdsUntil: Instant, now: Instant): Instant {
  const halfWay = after(now, milliseconds(Math.max(0, Math.floor((holdsUntil - now) / 2))))
  return latest(before(holdsUntil, RENEWAL_AHEAD), halfWay)
}

const FIRST_PAUSE = minutes(2)
const LONGEST_PAUSE = days(1)

/** The next try: soon at first, then ever more seldom, at least once a day. */
export function nextTry(attempts: number, now: Instant): Instant {
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE)
  return after(now, pause as Duration)
}
