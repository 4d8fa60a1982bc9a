import { z } from 'zod'
import { OfficeId, SessionId, Sha256, UserId } from '#server/domain/ids.ts'
import { after, type Duration, Instant, minutes } from '#server/domain/time.ts'
import { SecondFactor } from './second-factor.ts'

export const SessionEnd = z.enum([
  'signed-out',
  'ended-by-user',
  'ended-by-administrator',
  'password-changed',
  'factors-changed',
  'suspended',
  /** A refresh token came back that had been replaced long ago: the token was copied. */
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
  /** SHA-256 of the browser's name; null for a program without one. */
  browser: Sha256.nullable(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** The absolute end; the idle end moves with `lastSeenAt`. */
  expiresAt: Instant,
  /** Counts from 1; grows whenever the tokens are replaced. */
  generation: z.int().positive(),
  /** When the person last proved who they are: at sign-in, or when asked again. */
  provenAt: Instant,
  /** The strongest that was shown, and when last; null when the password was enough. */
  secondFactor: SecondFactor.nullable(),
  secondFactorAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  endedBy: UserId.nullable(),
  endReason: SessionEnd.nullable(),
})
export type Session = z.infer<typeof Session>

/**
 * How a request looks at a session: what a person does keeps it alive, what a page asks by itself does not,
 * and a glance leaves no trace at all.
 */
export type Visit = 'activity' | 'background' | 'glance'

/** Whether a request at `now` may still use the session. */
export function isLive(
  session: Pick<Session, 'endedAt' | 'expiresAt' | 'lastSeenAt'>,
  idle: Duration,
  now: Instant,
): boolean {
  return (
    session.endedAt === null && now < session.expiresAt && now < after(session.lastSeenAt, idle)
  )
}

/** Whether "last seen" is old enough to be written again: once a minute spares the disk. */
export function isSightingDue(lastSeenAt: Instant, now: Instant): boolean {
  return now >= after(lastSeenAt, minutes(1))
}
