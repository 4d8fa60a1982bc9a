import { after, type Duration, hours, type Instant, minutes } from '#server/domain/time.ts'

/** How long is waited after the first attempt that failed, after the second, and so on. */
export const MAIL_WAITS: readonly Duration[] = [
  minutes(1),
  minutes(5),
  minutes(30),
  hours(2),
  hours(12),
]

/** When to try again after so many attempts; undefined when it is of no use any more. */
export function nextAttemptAfter(attempts: number, now: Instant): Instant | undefined {
  const wait = MAIL_WAITS[attempts - 1]
  return wait === undefined ? undefined : after(now, wait)
}
