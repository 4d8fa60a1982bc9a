import { workingDayFrom, workingDaysAfter } from '#server/domain/calendar/working-days.ts'
import { Day, daysAfter, daysBetween } from '#server/domain/day.ts'
import { lastDayOf, type Month, nextMonth } from '#server/domain/reports/month.ts'
import type { DocumentTerm, MonthTerm, Shift } from './obligation.ts'

/**
 * The last day to do it; null while the term is not noted.
 *
 * @param base the day of the instrument, or of its last signature; it does not count
 * @param own the office's non-working days
 */
export function dueDayOf(term: DocumentTerm, base: Day, own: ReadonlySet<Day>): Day | null {
  if (term.days === null) return null
  if (term.counting === 'working') return workingDaysAfter(base, term.days, own)
  return shifted(daysAfter(base, term.days), term.shift, own)
}

/** The day of the next month by which it is done about this one; null while the term is not noted. */
export function dueDayOfMonth(term: MonthTerm, period: Month, own: ReadonlySet<Day>): Day | null {
  if (term.day === null) return null
  const last = lastDayOf(nextMonth(period))
  const day = Math.min(term.day, Number(last.slice(8)))
  return shifted(Day.parse(`${last.slice(0, 7)}-${String(day).padStart(2, '0')}`), term.shift, own)
}

function shifted(day: Day, shift: Shift, own: ReadonlySet<Day>): Day {
  switch (shift) {
    case 'stay':
      return day
    case 'next':
      return workingDayFrom(day, 1, own)
    case 'previous':
      return workingDayFrom(day, -1, own)
  }
}

/** An instrument of an earlier year that is signed now is an old one: its terms are over. */
const OLDEST = 366

/**
 * The day from which the terms of a document are counted: that of the instrument, or of the last signature. Null for an old
 * instrument.
 */
export function baseDayOf(instrumentDay: Day | null, signedOn: Day): Day | null {
  const base = instrumentDay ?? signedOn
  return daysBetween(base, signedOn) > OLDEST ? null : base
}

/** A document that was signed long before its deadlines are set, as after an upgrade, has no use for those that are over. */
const LONG_OVER = 30

/** Whether the last day had passed long before the deadline could be set: it is not set. */
export const isLongOver = (dueOn: Day, today: Day): boolean => daysBetween(dueOn, today) > LONG_OVER
