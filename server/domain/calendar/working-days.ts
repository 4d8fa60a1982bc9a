import { type Day, daysAfter } from '#server/domain/day.ts'
import { parseInstant } from '#server/domain/time.ts'

/** Days on which federal law excuses from work. Those of elections differ each time: the office notes them. */
export type FederalDay =
  | 'new-year'
  | 'constitution'
  | 'juarez'
  | 'labour'
  | 'independence'
  | 'federal-executive'
  | 'revolution'
  | 'christmas'

const MONDAY = 1

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => new Date(parseInstant(day)).getUTCDay()

/**
 * The federal non-working days of a year, in order.
 *
 * @see Ley Federal del Trabajo, artículo 74
 */
export function federalDaysOf(year: number): { day: Day; name: FederalDay }[] {
  const on = (monthAndDay: string) => `${year}-${monthAndDay}` as Day
  // The federal executive takes office every six years.
  const change = (year - 2024) % 6 === 0 && year >= 2024
  return [
    { day: on('01-01'), name: 'new-year' },
    { day: mondayOf(on('02-01'), 1), name: 'constitution' },
    { day: mondayOf(on('03-01'), 3), name: 'juarez' },
    { day: on('05-01'), name: 'labour' },
    { day: on('09-16'), name: 'independence' },
    ...(change ? [{ day: on('10-01'), name: 'federal-executive' } as const] : []),
    { day: mondayOf(on('11-01'), 3), name: 'revolution' },
    { day: on('12-25'), name: 'christmas' },
  ]
}

/** The first, second, … Monday from this day on. */
const mondayOf = (first: Day, which: number): Day =>
  daysAfter(first, ((MONDAY - weekdayOf(first) + 7) % 7) + 7 * (which - 1))

/** Whether the office works: not on Saturdays, Sundays, federal non-working days, and days of its own list. */
export function isWorkingDay(day: Day, own: ReadonlySet<Day>): boolean {
  const weekday = weekdayOf(day)
  if (weekday === 0 || weekday === 6 || own.has(day)) return false
  return federalDaysOf(Number(day.slice(0, 4))).every((federal) => federal.day !== day)
}

/** The nearest working day in a direction, which may be the day itself. An office that never works would have none. */
export function workingDayFrom(day: Day, step: 1 | -1, own: ReadonlySet<Day>): Day {
  let found = day
  for (let tries = 0; tries < MOST_TRIES && !isWorkingDay(found, own); tries += 1)
    found = daysAfter(found, step)
  return found
}

/** More days in a row than any office closes. */
const MOST_TRIES = 400

/** The day so many working days later; the day itself does not count. */
export function workingDaysAfter(day: Day, count: number, own: ReadonlySet<Day>): Day {
  let found = day
  for (let passed = 0; passed < count; passed += 1)
    found = workingDayFrom(daysAfter(found, 1), 1, own)
  return found
}
