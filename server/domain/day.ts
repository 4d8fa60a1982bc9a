import { z } from 'zod'
import {
  after,
  before,
  type Duration,
  days,
  hours,
  type Instant,
  milliseconds,
  parseInstant,
  toTimestamp,
} from './time.ts'

/** A calendar day without a time zone: `2026-11-20`. */
export const Day = z.iso.date().brand<'Day'>()
export type Day = z.infer<typeof Day>

/** The day at this instant in this time zone. */
export function dayOf(instant: Instant, zone: string): Day {
  const { year, month, day } = wallClock(instant, zone)
  return Day.parse(`${year}-${month}-${day}`)
}

/** The first instant of the day in this time zone. */
export function startOfDay(day: Day, zone: string): Instant {
  return midnightIn(zone, parseInstant(day))
}

/** The last millisecond of the day in this time zone. */
export function endOfDay(day: Day, zone: string): Instant {
  return before(midnightIn(zone, after(parseInstant(day), hours(24))), milliseconds(1))
}

/** The instant at which the zone's clocks show what those of UTC show at `midnight`. */
function midnightIn(zone: string, midnight: Instant): Instant {
  // Twice: on the day of a clock change, the first guess uses the old offset.
  const near = before(midnight, offset(midnight, zone))
  return before(midnight, offset(near, zone))
}

/** The instant at which the clocks of UTC show what those of the zone show now: for formats that know no zone. */
export const shownInUtc = (instant: Instant, zone: string): Instant =>
  after(instant, offset(instant, zone))

/** Calendar days from one day to another; negative if `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number =>
  Math.round((parseInstant(to) - parseInstant(from)) / days(1))

/** The day so many days later; earlier if `count` is negative. */
export const daysAfter = (day: Day, count: number): Day =>
  toTimestamp(after(parseInstant(day), days(count))).slice(0, 10) as Day

/** The offset of the zone from UTC in milliseconds. */
function offset(instant: Instant, zone: string): Duration {
  const { era, year, month, day, hour, minute, second } = wallClock(instant, zone)
  // Not by a text: an address can have the years 0 and 1, and the day after the year 9999.
  const shown = new Date(0)
  const fullYear = era === 'BC' ? 1 - Number(year) : Number(year)
  shown.setUTCFullYear(fullYear, Number(month) - 1, Number(day))
  shown.setUTCHours(Number(hour), Number(minute), Number(second))
  return milliseconds(shown.getTime() - Math.floor(instant / 1000) * 1000)
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    era: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
}

function wallClock(instant: Instant, zone: string) {
  const formatter = formatters.get(zone) ?? newFormatter(zone)
  formatters.set(zone, formatter)
  const parts = formatter.formatToParts(instant).map(({ type, value }) => [type, value])
  return Object.fromEntries(parts) as Record<
    'era' | 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    string
  >
}
