import { days, type Instant } from '#server/domain/time.ts'

/** How many days before the end of a certificate or capacity its holder is warned. */
const NOTICES = [90, 60, 30, 15, 7, 1] as const
export type Notice = (typeof NOTICES)[number]

/** From here on a warning is urgent. */
const URGENT: Notice = 7

/** The notice that is due: the last one whose day has come. Undefined long before the end, and after it. */
export function noticeOf(end: Instant, now: Instant): Notice | undefined {
  if (now > end) return undefined
  return NOTICES.findLast((notice) => end - now <= days(notice))
}

/** The notices before this one. */
export const noticesBefore = (notice: Notice): Notice[] => NOTICES.filter((one) => one > notice)

export const isUrgent = (notice: Notice): boolean => notice <= URGENT
