import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import { line } from '#server/domain/identity/text.ts'
import { OfficeId, UserId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/** Of an office, past ones too. */
export const MOST_NON_WORKING_DAYS = 500

/** What the office writes about a day on which it, or the authority, does not work. */
export const NonWorkingDayData = z.object({
  day: Day,
  name: line(100),
  /** Where it was published. */
  source: line(200).nullable(),
})
export type NonWorkingDayData = z.infer<typeof NonWorkingDayData>

export const NonWorkingDay = NonWorkingDayData.extend({
  officeId: OfficeId,
  at: Instant,
  by: UserId,
})
export type NonWorkingDay = z.infer<typeof NonWorkingDay>
