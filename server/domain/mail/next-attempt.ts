import { after, type Duration, hours, type Instant, minutes } from '#server/domain/time.ts'

/** The wait after the first failed attempt, after the second, and so on. */
export const MAIL_WAITS: readonly Duration[] = [
  minutes(1),
  minutes(5),
  minutes(30),
  hours(2),
  hours(12),
]

/** When to try again after this many attempts; undefined to give up. */
export function nextAttemptAfter(attempts: number, now: Instant): Instant | undefined {
  const wait = MAIL_WAITS[attempts - 1]
  return wait === undefined ? undefined : after(now, wait)
}
