import type { Instant } from '#server/domain/time.ts'
import { DerError, type DerNode } from './der.ts'
import { latin1, TAG } from './der-values.ts'

const REST = '(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)?(\\d\\d)?(?:[.,](\\d{1,9}))?(Z|[+-]\\d{4})$'
const UTC_TIME = new RegExp(`^(\\d{2})${REST}`)
const GENERALIZED_TIME = new RegExp(`^(\\d{4})${REST}`)

/**
 * The instant of a UTCTime or GeneralizedTime. Fractions of a second and offsets from UTC are
 * read although certificates should have neither: timestamps of Mexican providers carry them.
 *
 * @throws {DerError} for a time without a zone or a day that no calendar has
 * @see RFC 5280, 4.1.2.5: two digits of a year mean 1950 to 2049
 */
export function timeOf(node: DerNode | undefined): Instant {
  if (node?.tag !== TAG.utcTime && node?.tag !== TAG.generalizedTime)
    throw new DerError('unexpected-structure', 'no time where one belongs')
  const pattern = node.tag === TAG.utcTime ? UTC_TIME : GENERALIZED_TIME
  const parts = pattern.exec(latin1(node.content.subarray(0, 40)))
  if (!parts) throw new DerError('bad-value', 'not a time')
  const [, year = '', ...clock] = parts
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = clock
    .slice(0, 5)
    .map((digits) => Number(digits ?? 0))
  const [fraction = '0', zone = 'Z'] = clock.slice(5)
  const date = new Date(0)
  date.setUTCFullYear(fullYear(year), month - 1, day)
  const isOnCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isOnCalendar || hour > 23 || minute > 59 || second > 60)
    throw new DerError('bad-value', 'a time that no clock shows')
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  return instantAt(date.setUTCHours(hour, minute, second, milliseconds) - offsetOf(zone))
}

/** An instant from milliseconds, for rooms that run in the browser: the ground lends them its types alone. */
export const instantAt = (milliseconds: number) => milliseconds as Instant

function fullYear(year: string): number {
  if (year.length === 4) return Number(year)
  return Number(year) + (Number(year) < 50 ? 2000 : 1900)
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5))
  return (zone[0] === '-' ? -minutes : minutes) * 60_000
}
