import { z } from 'zod'
import { line, paragraphs, Shown } from '#server/domain/identity/text.ts'
import { OfficeId, SigningSessionId, UserId } from '#server/domain/ids.ts'
import { SessionAct } from '#server/domain/signing/act/act.ts'
import { Instant } from '#server/domain/time.ts'

export const SigningSessionState = z.enum([
  'draft',
  'open',
  'completed',
  'rejected',
  'cancelled',
  'expired',
])
export type SigningSessionState = z.infer<typeof SigningSessionState>

export const SigningSessionTitle = line(200)
export const SigningSessionMessage = paragraphs(2000)

/** The reason for a rejection or cancellation, as the user typed it. */
export const Reason = line(500)
export type Reason = z.infer<typeof Reason>

/** Documents that are signed together by the same people. */
export const SigningSession = z.object({
  id: SigningSessionId,
  officeId: OfficeId,
  title: SigningSessionTitle,
  /** A message for the signers; null for none. */
  message: SigningSessionMessage.nullable(),
  /** The deadline for signing; null for none. */
  deadline: Instant.nullable(),
  state: SigningSessionState,
  stateSince: Instant,
  /** Null if no user did it: a job, an external signer. */
  stateBy: UserId.nullable(),
  stateReason: Shown.nullable(),
  createdAt: Instant,
  createdBy: UserId,
  /** The act that it was made for; null for none. */
  act: SessionAct.nullable(),
})
export type SigningSession = z.infer<typeof SigningSession>

/** Whether it can be signed at `now`; the job may not have expired it yet. */
export const isOpenAt = ({ state, deadline }: SigningSession, now: Instant) =>
  state === 'open' && (deadline === null || now < deadline)
