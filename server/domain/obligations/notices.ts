import { type Day, daysAfter } from '#server/domain/day.ts'

/** How many days before the last day users are warned; -1: the day after, when it is late. */
const NOTICES = [7, 3, 0, -1] as const
export type DeadlineNotice = (typeof NOTICES)[number]

export const isLateNotice = (notice: DeadlineNotice): boolean => notice < 0

const dayOfNotice = (dueOn: Day, notice: DeadlineNotice): Day => daysAfter(dueOn, -notice)

/** When the first notice is due. */
export const firstNoticeOn = (dueOn: Day): Day => dayOfNotice(dueOn, NOTICES[0])

/** The notice that counts today: the last whose day has come. Undefined long before the last day. */
export const noticeAt = (dueOn: Day, today: Day): DeadlineNotice | undefined =>
  NOTICES.findLast((notice) => dayOfNotice(dueOn, notice) <= today)

/** When the next one is due after today; null after the last. */
export const nextNoticeOn = (dueOn: Day, today: Day): Day | null =>
  NOTICES.map((notice) => dayOfNotice(dueOn, notice)).find((day) => day > today) ?? null
