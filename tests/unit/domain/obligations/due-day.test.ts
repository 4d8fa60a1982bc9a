import { expect, test } from 'vitest'
import type { Day } from '#server/domain/day.ts'
import {
  baseDayOf,
  dueDayOf,
  dueDayOfMonth,
  isLongOver,
} from '#server/domain/obligations/due-day.ts'
import type { DocumentTerm, MonthTerm } from '#server/domain/obligations/obligation.ts'
import type { Month } from '#server/domain/reports/month.ts'

const day = (text: string) => text as Day
const NONE: ReadonlySet<Day> = new Set()

const term = (over: Partial<DocumentTerm>): DocumentTerm => ({
  ...{ basis: 'document', days: 15, counting: 'natural', shift: 'stay', kinds: [], acts: [] },
  ...over,
})
const month = (over: Partial<MonthTerm>): MonthTerm => ({
  ...{ basis: 'month', day: 17, shift: 'stay' },
  ...over,
})

test.each<[string, Partial<DocumentTerm>, string, string]>([
  ['15 natural days', {}, '2026-11-28', '2026-12-13'],
  [
    'natural days that end on a Sunday, then the next working day',
    { shift: 'next' },
    '2026-11-28',
    '2026-12-14',
  ],
  [
    'natural days that end on a Sunday, the working day before',
    { shift: 'previous' },
    '2026-11-28',
    '2026-12-11',
  ],
  ['3 working days', { days: 3, counting: 'working' }, '2026-11-27', '2026-12-02'],
  ['natural days over the leap day', { days: 2 }, '2028-02-28', '2028-03-01'],
])('due day: %s', (_, over, base, expected) => {
  expect(dueDayOf(term(over), day(base), NONE)).toBe(expected)
})

test('due day: a day of the office is no working day', () => {
  const counted = term({ days: 3, counting: 'working' })
  expect(dueDayOf(counted, day('2026-11-27'), new Set([day('2026-12-01')]))).toBe('2026-12-03')
})

test('due day: null while the term is not noted', () => {
  expect(dueDayOf(term({ days: null }), day('2026-11-27'), NONE)).toBeNull()
  expect(dueDayOfMonth(month({ day: null }), '2026-11' as Month, NONE)).toBeNull()
})

test.each<[string, Partial<MonthTerm>, string, string]>([
  ['the 17th of the next month', {}, '2026-11', '2026-12-17'],
  ['in the next year', {}, '2026-12', '2027-01-17'],
  ['the last day of a shorter month', { day: 31 }, '2027-01', '2027-02-28'],
  ['a Sunday that moves on', { shift: 'next' }, '2026-12', '2027-01-18'],
  ['a Sunday that moves back', { shift: 'previous' }, '2026-12', '2027-01-15'],
])('due day of a month: %s', (_, over, period, expected) => {
  expect(dueDayOfMonth(month(over), period as Month, NONE)).toBe(expected)
})

test('base day: that of the instrument, or of the last signature', () => {
  expect(baseDayOf(day('2026-11-20'), day('2026-11-28'))).toBe('2026-11-20')
  expect(baseDayOf(null, day('2026-11-28'))).toBe('2026-11-28')
})

test('base day: none for an instrument of more than a year ago', () => {
  expect(baseDayOf(day('2025-11-27'), day('2026-11-28'))).toBe('2025-11-27')
  expect(baseDayOf(day('2025-11-26'), day('2026-11-28'))).toBeNull()
})

test('long over: more than thirty days before the deadline could be set', () => {
  expect(isLongOver(day('2026-10-29'), day('2026-11-28'))).toBe(false)
  expect(isLongOver(day('2026-10-28'), day('2026-11-28'))).toBe(true)
})
