import { type Day, dayOf } from '#server/domain/day.ts'
import { after, days, parseInstant } from '#server/domain/time.ts'

const MONDAY = 1

/**
 * Whether it is a working day: no Saturday, no Sunday, and none of the days of rest of the federal law. Days on which one office alone
 * is closed count as working days.
 *
 * @see Ley Federal del Trabajo, artículo 74
 */
export function isWorkingDay(day: Day): boolean {
  const weekday = new Date(parseInstant(day)).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !federalHolidays(Number(day.slice(0, 4))).has(day)
}

/** The working day that is `count` working days after `day`, which does not count itself. @param count at least 1 */
export function afterWorkingDays(day: Day, count: number): Day {
  let current = day
  for (let left = count; left > 0; ) {
    current = dayAfter(current)
    if (isWorkingDay(current)) left -= 1
  }
  return current
}

const dayAfter = (day: Day): Day => dayOf(after(parseInstant(day), days(1)), 'UTC')

/** The days of rest of a year. Elections are held on Sundays. */
function federalHolidays(year: number): ReadonlySet<string> {
  return new Set([
    `${year}-01-01`,
    mondayOf(year, 2, 1),
    mondayOf(year, 3, 3),
    `${year}-05-01`,
    `${year}-09-16`,
    mondayOf(year, 11, 3),
    `${year}-12-25`,
    // Every six years, when the federal executive changes; in October since 2024.
    ...(year % 6 === 2 ? [`${year}-${year < 2024 ? '12' : '10'}-01`] : []),
  ])
}

/** The first or third Monday of a month. */
function mondayOf(year: number, month: number, which: 1 | 3): string {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const date = 1 + ((MONDAY - first + 7) % 7) + 7 * (which - 1)
  return `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}
