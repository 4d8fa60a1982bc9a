import ical, { ICalEventTransparency } from 'ical-generator'
import { type Day, daysAfter } from '#server/domain/day.ts'
import type { NamedDeadline } from '#server/domain/obligations/deadline.ts'
import { type Instant, parseInstant } from '#server/domain/time.ts'
import { aboutText } from '#server/words/obligations.ts'
import { OBLIGATIONS_PATH } from './obligations-path.ts'

/** How long programs may wait until they ask again, in seconds. */
const REFRESH = 6 * 60 * 60

/**
 * Deadlines as an iCalendar file: an event of the whole last day each, named by obligation, folio and kind.
 *
 * @param origin of the pages that events link to
 * @see RFC 5545
 */
export function calendarFile(
  deadlines: readonly NamedDeadline[],
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
      id: `${deadline.id}@rubrica`,
      ...{ stamp: dateOf(deadline.stateSince), allDay: true, timezone: 'UTC' },
      ...{ start: startOf(deadline.dueOn), end: startOf(daysAfter(deadline.dueOn, 1)) },
      summary: `${obligation.name}: ${aboutText(deadline.about, document)}`,
      url: `${origin}${OBLIGATIONS_PATH}/${deadline.id}`,
      // A deadline does not make its day busy.
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  // The library leaves out the end of the last line.
  return `${calendar.toString()}\r\n`
}

const dateOf = (at: Instant) => new Date(at)
const startOf = (day: Day) => new Date(parseInstant(day))
