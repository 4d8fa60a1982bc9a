import { z } from 'zod'
import { OfficeId, SignInId, UserId } from '#server/domain/ids.ts'
import { Instant, minutes } from '#server/domain/time.ts'

/** How long a sign-in waits for the second factor after the right password. */
export const SIGN_IN_LIFETIME = minutes(10)

/** And so many attempts at it; then the password is asked for again. */
export const SIGN_IN_ATTEMPTS = 5

/**
 * A right password that waits for a second factor. It is no session: nothing but the second step takes its
 * token, and its id opens nothing.
 */
export const PendingSignIn = z.object({
  id: SignInId,
  userId: UserId,
  officeId: OfficeId,
  createdAt: Instant,
  expiresAt: Instant,
  /** At the second factor, rightful ones included. */
  attempts: z.int().nonnegative(),
  state: z.enum(['open', 'used', 'spent']),
  stateSince: Instant,
})
export type PendingSignIn = z.infer<typeof PendingSignIn>

/** Whether a second factor may still be shown for it. */
export function isOpenSignIn(signIn: PendingSignIn, now: Instant): boolean {
  return signIn.state === 'open' && now < signIn.expiresAt && signIn.attempts < SIGN_IN_ATTEMPTS
}
