import { describe, expect, test } from 'vitest'
import {
  federalDaysOf,
  isWorkingDay,
  workingDayFrom,
  workingDaysAfter,
} from '#server/domain/calendar/working-days.ts'
import type { Day } from '#server/domain/day.ts'

const day = (text: string) => text as Day
const NONE: ReadonlySet<Day> = new Set()

test.each([
  [2024, '2024-02-05', '2024-03-18', '2024-11-18'],
  [2025, '2025-02-03', '2025-03-17', '2025-11-17'],
  [2026, '2026-02-02', '2026-03-16', '2026-11-16'],
  [2027, '2027-02-01', '2027-03-15', '2027-11-15'],
])('federal days: the Mondays of %i are in February, March and November', (year, ...mondays) => {
  const days = federalDaysOf(year).map((one) => one.day as string)
  expect(mondays.filter((monday) => !days.includes(monday))).toEqual([])
})

test('federal days: the executive takes office every six years', () => {
  const years = [2018, 2023, 2024, 2025, 2029, 2030, 2031, 2036]
  const withChange = years.filter((year) =>
    federalDaysOf(year).some(({ name }) => name === 'federal-executive'),
  )
  expect(withChange).toEqual([2024, 2030, 2036])
})

test('federal days: come in the order of the year', () => {
  const days = federalDaysOf(2030).map((one) => one.day)
  expect(days).toEqual(days.toSorted())
  expect(days).toHaveLength(8)
})

describe('working days', () => {
  const OWN = new Set([day('2026-12-24'), day('2026-12-28')])

  test.each([
    ['a Friday', '2026-11-27', true],
    ['a Saturday', '2026-11-28', false],
    ['a Sunday', '2026-11-29', false],
    ['a federal day', '2026-11-16', false],
    ['a day of the office', '2026-12-24', false],
    ['the day before it', '2026-12-23', true],
  ])('%s', (_, text, works) => {
    expect(isWorkingDay(day(text), OWN)).toBe(works)
  })

  test.each([
    ['over a weekend', '2026-11-27', 1, '2026-11-30'],
    ['over a long weekend', '2026-11-13', 3, '2026-11-19'],
    ['over Christmas and days of the office', '2026-12-23', 2, '2026-12-30'],
    ['over New Year', '2026-12-31', 1, '2027-01-04'],
    ['from a Saturday', '2026-11-28', 5, '2026-12-04'],
  ])('are counted %s', (_, from, count, expected) => {
    expect(workingDaysAfter(day(from), count, OWN)).toBe(expected)
  })

  test('the nearest one is the day itself, or lies in the direction', () => {
    expect(workingDayFrom(day('2026-11-27'), 1, NONE)).toBe('2026-11-27')
    expect(workingDayFrom(day('2026-11-28'), 1, NONE)).toBe('2026-11-30')
    expect(workingDayFrom(day('2026-11-28'), -1, NONE)).toBe('2026-11-27')
  })
})
