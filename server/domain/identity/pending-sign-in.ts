import { z } from 'zod'
import { OfficeId, SignInId, UserId } from '#server/domain/ids.ts'
import { Instant, minutes } from '#server/domain/time.ts'

/** How long a pending sign-in waits for the second factor. */
export const SIGN_IN_LIFETIME = minutes(10)

/** Attempts at the second factor; then the password is required again. */
export const SIGN_IN_ATTEMPTS = 5

/**
 * A sign-in after the correct password and before the second factor. Not a session: only the second step
 * accepts its token, and its id grants nothing.
 */
export const PendingSignIn = z.object({
  id: SignInId,
  userId: UserId,
  officeId: OfficeId,
  createdAt: Instant,
  expiresAt: Instant,
  /** Attempts at the second factor, including successful ones. */
  attempts: z.int().nonnegative(),
  state: z.enum(['open', 'used', 'spent']),
  stateSince: Instant,
})
export type PendingSignIn = z.infer<typeof PendingSignIn>

/** Whether it still accepts a second factor. */
export function isOpenSignIn(signIn: PendingSignIn, now: Instant): boolean {
  return signIn.state === 'open' && now < signIn.expiresAt && signIn.attempts < SIGN_IN_ATTEMPTS
}
