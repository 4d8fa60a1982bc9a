import { z } from 'zod'
import { OfficeId, SessionId, Sha256, UserId } from '#server/domain/ids.ts'
import { after, before, type Duration, Instant, minutes } from '#server/domain/time.ts'
import { SecondFactor } from './second-factor.ts'

export const SessionEnd = z.enum([
  'signed-out',
  'ended-by-user',
  'ended-by-administrator',
  'password-changed',
  'factors-changed',
  'suspended',
  /** Its user went on in their account of another office. */
  'switched',
  /** An old refresh token was replayed. */
  'refresh-reuse',
])
export type SessionEnd = z.infer<typeof SessionEnd>

/** One sign-in on one device: a family of tokens, of which only hashes are stored. */
export const Session = z.object({
  id: SessionId,
  userId: UserId,
  officeId: OfficeId,
  device: z.string(),
  ip: z.string(),
  /** SHA-256 of the browser's cookie; null for a program without one. */
  browser: Sha256.nullable(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** The absolute end; the idle end moves with `lastSeenAt`. */
  expiresAt: Instant,
  /** Counts from 1; increments whenever the tokens are replaced. */
  generation: z.int().positive(),
  /** Time of the last authentication: sign-in or step-up. */
  provenAt: Instant,
  /** The strongest factor used, and when last; null if the password sufficed. */
  secondFactor: SecondFactor.nullable(),
  secondFactorAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  endedBy: UserId.nullable(),
  endReason: SessionEnd.nullable(),
})
export type Session = z.infer<typeof Session>

/**
 * How a request affects its session: `activity` of the user keeps it alive, `background` requests of a page do
 * not, and a `passive` read changes nothing.
 */
export type Visit = 'activity' | 'background' | 'passive'

/**
 * Whether a request at `now` may still use the session. One that was used while the clock was ahead is over when it is
 * set back: it would live until the clock is there again.
 */
export function isLive(
  session: Pick<Session, 'endedAt' | 'expiresAt' | 'lastSeenAt'>,
  idle: Duration,
  now: Instant,
): boolean {
  const { endedAt, expiresAt, lastSeenAt } = session
  const isUsed = before(lastSeenAt, idle) < now && now < after(lastSeenAt, idle)
  return endedAt === null && now < expiresAt && isUsed
}

/** Whether to update `lastSeenAt`: at most once a minute, to spare the disk. */
export function isLastSeenDue(lastSeenAt: Instant, now: Instant): boolean {
  return now >= after(lastSeenAt, minutes(1)) || now <= before(lastSeenAt, minutes(1))
}
