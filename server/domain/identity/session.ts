import { z } from 'zod'
import { OfficeId, SessionId, UserId } from '../ids.ts'
import { after, type Duration, Instant, minutes } from '../time.ts'

export const SessionEnd = z.enum(['signed-out', 'ended-by-user', 'suspended'])
export type SessionEnd = z.infer<typeof SessionEnd>

/** One sign-in on one device. The token that opens it is not here: only its SHA-256 is stored. */
export const Session = z.object({
  id: SessionId,
  userId: UserId,
  officeId: OfficeId,
  device: z.string(),
  ip: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** The absolute end; the idle end moves with `lastSeenAt`. */
  expiresAt: Instant,
  endedAt: Instant.nullable(),
  endedBy: UserId.nullable(),
  endReason: SessionEnd.nullable(),
})
export type Session = z.infer<typeof Session>

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
