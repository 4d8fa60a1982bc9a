import { z } from 'zod'
import {
  after,
  before,
  type Duration,
  hours,
  type Instant,
  milliseconds,
  parseInstant,
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
  const midnight = parseInstant(day)
  // Twice: on the day of a clock change, the first guess uses the old offset.
  const near = before(midnight, offset(midnight, zone))
  return before(midnight, offset(near, zone))
}

/** The last millisecond of the day in this time zone. */
export function endOfDay(day: Day, zone: string): Instant {
  const noonAfter = after(startOfDay(day, zone), hours(36))
  return before(startOfDay(dayOf(noonAfter, zone), zone), milliseconds(1))
}

/** The offset of the zone from UTC in milliseconds. */
function offset(instant: Instant, zone: string): Duration {
  const { year, month, day, hour, minute, second } = wallClock(instant, zone)
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return milliseconds(shown - Math.floor(instant / 1000) * 1000)
}

function wallClock(instant: Instant, zone: string) {
  const formatter = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const parts = formatter.formatToParts(instant).map(({ type, value }) => [type, value])
  return Object.fromEntries(parts) as Record<
    'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
    string
  >
}
