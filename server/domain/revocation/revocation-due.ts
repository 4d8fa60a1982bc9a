import { after, hours, type Instant } from '#server/domain/time.ts'

/** What is known of the questions about one certificate. Undefined before the first. */
export type AskedBefore = { askedAt: Instant | undefined; answeredAt: Instant | undefined }

/** After an answer, and after a question without one. */
const AFTER_ANSWER = hours(24)
const AFTER_SILENCE = hours(1)

/** Whether the issuer is to be asked again. A time that lies ahead is of a clock that was wrong, and counts as none. */
export function isRevocationDue({ askedAt, answeredAt }: AskedBefore, now: Instant): boolean {
  if (askedAt === undefined || askedAt > now) return true
  const wasAnswered = answeredAt !== undefined && answeredAt >= askedAt && answeredAt <= now
  return now >= after(askedAt, wasAnswered ? AFTER_ANSWER : AFTER_SILENCE)
}
