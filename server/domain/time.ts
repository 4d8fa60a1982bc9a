import { z } from 'zod'

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly __unit: 'instant' }
export const Instant = z.int().transform((value) => value as Instant)

/** The instant of a `Date`, or of milliseconds since 1970 that have no type yet. */
export const instantOf = (time: number | Date) => Number(time) as Instant

/** Before every event: 1970. */
export const EPOCH = 0 as Instant
/** Later than every instant. */
export const END_OF_TIME = Number.POSITIVE_INFINITY as Instant

/** A duration in milliseconds. */
export type Duration = number & { readonly __unit: 'duration' }

export const milliseconds = (count: number) => count as Duration
export const seconds = (count: number) => milliseconds(count * 1000)
export const minutes = (count: number) => seconds(count * 60)
export const hours = (count: number) => minutes(count * 60)
export const days = (count: number) => hours(count * 24)

export const after = (start: Instant, wait: Duration) => (start + wait) as Instant
export const before = (end: Instant, lead: Duration) => (end - lead) as Instant
/** The earliest of the instants. */
export const earliest = (first: Instant, ...more: readonly Instant[]) =>
  Math.min(first, ...more) as Instant
/** The latest of the instants. */
export const latest = (first: Instant, ...more: readonly Instant[]) =>
  Math.max(first, ...more) as Instant

/** RFC 3339 in UTC with milliseconds: `2026-11-20T15:05:00.000Z`. */
export const toTimestamp = (instant: Instant) => new Date(instant).toISOString()

/**
 * Reads an RFC 3339 date-time, or a bare date as its first instant in UTC.
 *
 * @throws {RangeError} for anything else
 */
export function parseInstant(text: string): Instant {
  const isTimestamp = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/.test(
    text,
  )
  const instant = isTimestamp ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instant)) throw new RangeError(`not an RFC 3339 time: ${text}`)
  return instant as Instant
}

const ZONE_NAMES: Record<string, string> = {
  'America/Mexico_City': 'hora del centro',
  'America/Cancun': 'hora del sureste',
  'America/Mazatlan': 'hora del Pacífico',
  'America/Hermosillo': 'hora de Sonora',
  'America/Tijuana': 'hora del noroeste',
  'America/Ciudad_Juarez': 'hora de Ciudad Juárez',
  'America/Ojinaga': 'hora de Ojinaga',
  'America/Matamoros': 'hora de la frontera noreste',
}

/** The time zones of Mexico, the most common first. */
export const MEXICAN_ZONES: readonly string[] = Object.keys(ZONE_NAMES)

const MONTHS = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ')
const formatters = new Map<string, Intl.DateTimeFormat>()

/** For people: `20 nov 2026, 09:05 (hora del centro)`, in the time zone of the office. */
export function formatInstant(instant: Instant, zone = 'America/Mexico_City'): string {
  return `${formatMinute(instant, zone)} (${zoneName(zone)})`
}

/** For a column whose header states the time zone: `20 nov 2026, 09:05`. */
export function formatMinute(instant: Instant, zone: string): string {
  const { day, month, year, hour, minute } = partsOf(instant, zone)
  return `${day} ${month} ${year}, ${hour}:${minute}`
}

/** `hora del centro`. */
export const zoneName = (zone: string) => ZONE_NAMES[zone] ?? zone

/** For people: `20 nov 2026`, in the time zone of the office. */
export function formatDay(instant: Instant, zone = 'America/Mexico_City'): string {
  const { day, month, year } = partsOf(instant, zone)
  return `${day} ${month} ${year}`
}

function partsOf(instant: Instant, zone: string) {
  const formatter = formatters.get(zone) ?? newFormatter(zone)
  formatters.set(zone, formatter)
  // Parsing the text, `20/11/2026, 09:05`, is much faster than `formatToParts`.
  const [day, month, year, hour, minute] = formatter.format(instant).match(/\d+/g) ?? []
  return { day, month: MONTHS[Number(month) - 1], year, hour, minute }
}

const newFormatter = (timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
