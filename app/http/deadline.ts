import { formatDay, type Instant } from '#server/domain/time.ts'

/** The last day to sign in the office's time zone, and the instant in milliseconds; null without one. */
export type DeadlineView = { at: number; day: string } | null

export const deadlineView = (at: Instant | null, timeZone: string): DeadlineView =>
  at === null ? null : { at, day: formatDay(at, timeZone) }
