import { Day, dayOf, startOfDay } from '#server/domain/day.ts'
import {
  after,
  before,
  type Duration,
  days,
  hours,
  type Instant,
  minutes,
  parseInstant,
} from '#server/domain/time.ts'
import type { Chance } from './chance.ts'

/** The time zone of the demo office. */
export const ZONE = 'America/Mexico_City'

/** A day on which the office is open. */
export type OfficeDay = { day: Day; start: Instant }

/** The office opens on the first of them; certificates of its people begin a day earlier. */
const LENGTH = 364

/** The days on which the office is open in the year before `end`, the day of `end` included. */
export function officeDays(end: Instant): OfficeDay[] {
  const last = parseInstant(dayOf(end, ZONE))
  return Array.from({ length: LENGTH }, (_, index) => before(last, days(LENGTH - 1 - index)))
    .filter((noon) => isOpen(new Date(noon)))
    .map((date) => {
      const day = Day.parse(new Date(date).toISOString().slice(0, 10))
      return { day, start: startOfDay(day, ZONE) }
    })
}

/** Monday to Friday, but on the days off of the Ley Federal del Trabajo and between Christmas and the first days of January. */
function isOpen(date: Date): boolean {
  const [month, day, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()]
  if (weekday === 0 || weekday === 6) return false
  if ((month === 12 && day >= 22) || (month === 1 && day <= 5)) return false
  const isMonday = (of: number, week: number) =>
    month === of && weekday === 1 && Math.ceil(day / 7) === week
  if (isMonday(2, 1) || isMonday(3, 3) || isMonday(11, 3)) return false
  return !['5-1', '9-16'].includes(`${month}-${day}`)
}

/** A time of the day with seconds and milliseconds. */
export const timeOn = ({ start }: OfficeDay, sinceMidnight: Duration, chance: Chance): Instant =>
  after(start, (sinceMidnight + chance.below(minutes(1))) as Duration)

const MORNING = { from: hours(9), minutes: 290, weight: 6 }
const AFTERNOON = { from: hours(16), minutes: 160, weight: 4 }

/** When people work: more in the morning, nothing during the meal. */
export function workingTime(day: OfficeDay, chance: Chance): Instant {
  const part = chance.weighted([MORNING, AFTERNOON])
  const wait = minutes(5 + chance.below(part.minutes))
  return timeOn(day, (part.from + wait) as Duration, chance)
}
