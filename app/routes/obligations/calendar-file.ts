import ical, { ICalEventTransparency } from 'ical-generator'
import { type Day, daysAfter } from '#server/domain/day.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import type { Feed } from '#server/features/obligations/read-feed.ts'
import { aboutText } from '#server/words/obligations.ts'
import { OBLIGATIONS_PATH } from './obligations-path.ts'

/** How long programs may wait until they ask again, in seconds. */
const REFRESH = 6 * 60 * 60

/**
 * Deadlines as an iCalendar file: an event of the whole last day each, named by obligation, folio and kind. If some were left
 * out, an event of today says so.
 *
 * @param origin of the pages that events link to
 * @see RFC 5545
 */
export function calendarFile(
  { officeId, today, deadlines, hasMore }: Feed,
  { origin }: { origin: string },
): string {
  // The library writes this name without escapes: it must have no comma, semicolon or backslash.
  const name = 'Obligaciones de la notaría'
  const calendar = ical({
    prodId: { company: 'Rubrica', product: 'Obligaciones', language: 'ES' },
    ...{ name, ttl: REFRESH },
  })
  for (const { deadline, obligation, document } of deadlines)
    calendar.createEvent({
      ...{ id: `${deadline.id}@rubrica`, stamp: dateOf(deadline.stateSince) },
      ...wholeDay(deadline.dueOn),
      summary: `${obligation.name}: ${aboutText(deadline.about, document)}`,
      url: `${origin}${OBLIGATIONS_PATH}/${deadline.id}`,
    })
  if (hasMore)
    calendar.createEvent({
      ...{ id: `more-${officeId}@rubrica`, stamp: startOf(today) },
      ...wholeDay(today),
      summary: 'Hay más obligaciones pendientes en Rúbrica',
      url: `${origin}${OBLIGATIONS_PATH}`,
    })
  // The library leaves out the end of the last line.
  return `${calendar.toString()}\r\n`
}

const wholeDay = (day: Day) => ({
  ...{ allDay: true, timezone: 'UTC', start: startOf(day), end: startOf(daysAfter(day, 1)) },
  // A deadline does not make its day busy.
  transparency: ICalEventTransparency.TRANSPARENT,
})

const dateOf = (at: Instant) => new Date(at)
const startOf = (day: Day) => new Date(parseInstant(day))
