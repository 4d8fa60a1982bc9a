import { after, type Duration, type Instant } from '#server/domain/time.ts'
import type { Duty } from './actor.ts'

/** What decides whether a person must do something before anything else. */
export type DutyFacts = {
  /** Since when they are asked to choose another password; null when not. */
  passwordChangeSince: Instant | null
  hasSecondFactor: boolean
  /** Since when the account is active. */
  activeSince: Instant
  /** Of the office; null when a second factor is optional. */
  secondFactorGrace: Duration | null
}

/** What comes first at `now`: the password, then the second factor, then nothing. */
export function dutyOf(facts: DutyFacts, now: Instant): Duty | null {
  if (facts.passwordChangeSince !== null) return 'change-password'
  const { hasSecondFactor, activeSince, secondFactorGrace } = facts
  if (hasSecondFactor || secondFactorGrace === null) return null
  return now >= after(activeSince, secondFactorGrace) ? 'set-up-second-factor' : null
}
