import { z } from 'zod'
import { DocumentId, OfficeId } from '#server/domain/ids.ts'
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
import type { Document } from './document.ts'

/**
 * The state of a document's long-term proof: `waiting` to be made, `kept` in the file
 * until renewal, or `left-out` because the file allows no changes.
 */
const ArchiveState = z.enum(['waiting', 'kept', 'left-out'])

export const Archive = z.object({
  documentId: DocumentId,
  officeId: OfficeId,
  /** The version that waits, was tried last or contains the proof. */
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

/** The next signer may still have the current version on the screen. */
const QUIET = minutes(5)

/** The state of a document that was completed at this time. */
export const awaitedArchive = (
  { id, officeId, version }: Pick<Document, 'id' | 'officeId' | 'version'>,
  at: Instant,
): Archive => ({
  documentId: id,
  officeId,
  version,
  state: 'waiting',
  stateSince: at,
  attempts: 0,
  dueAt: after(at, QUIET),
  holdsUntil: null,
  fault: null,
})

/** Renew well before the old timestamp expires. */
const RENEWAL_AHEAD = days(90)

/** When to renew: 90 days before `holdsUntil`, or half way if it holds for less than 180. */
export function renewalOf(holdsUntil: Instant, now: Instant): Instant {
  const halfWay = after(now, milliseconds(Math.max(0, Math.floor((holdsUntil - now) / 2))))
  return latest(before(holdsUntil, RENEWAL_AHEAD), halfWay)
}

/**
 * A renewal is overdue when half of the time that was left for it is over: 45 days before `holdsUntil`, or in the last
 * quarter of a timestamp that holds for less than 180 days.
 */
export const OVERDUE_AHEAD = days(45)
export const OVERDUE_PART = 4

const FIRST_PAUSE = minutes(2)
const LONGEST_PAUSE = days(1)

/** The next attempt: soon at first, then less often, at least once a day. */
export function nextTry(attempts: number, now: Instant): Instant {
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE)
  return after(now, pause as Duration)
}
