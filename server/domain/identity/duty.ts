import { after, type Duration, type Instant } from '#server/domain/time.ts'
import type { Duty } from './actor.ts'

/** The facts that decide a user's duty. */
export type DutyFacts = {
  /** Since when a password change is required; null if it is not. */
  passwordChangeSince: Instant | null
  hasSecondFactor: boolean
  /** Since when the account is active. */
  activeSince: Instant
  /** The office's policy; null if a second factor is optional. */
  secondFactorGrace: Duration | null
}

/** The duty at `now`: password change first, then second factor. */
export function dutyOf(facts: DutyFacts, now: Instant): Duty | null {
  if (facts.passwordChangeSince !== null) return 'change-password'
  const { hasSecondFactor, activeSince, secondFactorGrace } = facts
  if (hasSecondFactor || secondFactorGrace === null) return null
  return now >= after(activeSince, secondFactorGrace) ? 'set-up-second-factor' : null
}
