import { z } from 'zod'
import { Day, dayOf, startOfDay } from '#server/domain/day.ts'
import { before, type Instant, milliseconds } from '#server/domain/time.ts'

/** A calendar month: `2026-11`. */
export const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)
  .brand<'Month'>()
export type Month = z.infer<typeof Month>

export function nextMonth(month: Month): Month {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const next = number === 12 ? [year + 1, 1] : [year, number + 1]
  return Month.parse(next.map((part) => String(part).padStart(2, '0')).join('-'))
}

/** The month before that of the day. */
export function monthBefore(day: Day): Month {
  const [year, number] = day.split('-').map(Number) as [number, number]
  const earlier = number === 1 ? [year - 1, 12] : [year, number - 1]
  return Month.parse(earlier.map((part) => String(part).padStart(2, '0')).join('-'))
}

export const lastDayOf = (month: Month): Day =>
  dayOf(before(startOfDay(Day.parse(`${nextMonth(month)}-01`), 'UTC'), milliseconds(1)), 'UTC')

/** All months from the first to the last. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const months = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month)
  return months
}

/**
 * Returns a function that tells the month of an instant in the time zone. It remembers the last month: of a million instants in
 * order, a calendar is asked about a few.
 */
export function monthTeller(timeZone: string): (at: Instant) => Month {
  let known: { month: Month; begins: Instant; ends: Instant } | undefined
  return (at) => {
    if (!known || at < known.begins || at >= known.ends) {
      const month = Month.parse(dayOf(at, timeZone).slice(0, 7))
      const beginOf = (one: Month) => startOfDay(Day.parse(`${one}-01`), timeZone)
      known = { month, begins: beginOf(month), ends: beginOf(nextMonth(month)) }
    }
    return known.month
  }
}
