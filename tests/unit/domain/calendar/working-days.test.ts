import { expect, test } from 'vitest'
import { afterWorkingDays, isWorkingDay } from '#server/domain/calendar/working-days.ts'
import { Day } from '#server/domain/day.ts'

const day = (text: string) => Day.parse(text)

test.each([
  ['2026-01-01', 'the first of January'],
  ['2026-02-02', 'the first Monday of February'],
  ['2026-03-16', 'the third Monday of March'],
  ['2026-05-01', 'the first of May'],
  ['2026-09-16', 'the sixteenth of September'],
  ['2026-11-16', 'the third Monday of November'],
  ['2026-12-25', 'Christmas'],
  ['2024-10-01', 'the change of the federal executive since 2024'],
  ['2030-10-01', 'the change of the federal executive, six years later'],
  ['2018-12-01', 'the change of the federal executive before'],
  ['2026-11-28', 'a Saturday'],
  ['2026-11-29', 'a Sunday'],
])('%s is no working day: %s', (text) => {
  expect(isWorkingDay(day(text))).toBe(false)
})

test.each([['2026-02-05'], ['2026-03-23'], ['2026-10-01'], ['2026-11-20'], ['2026-11-30']])(
  '%s is a working day',
  (text) => {
    expect(isWorkingDay(day(text))).toBe(true)
  },
)

test.each([
  // Friday to Monday.
  ['2026-11-27', 1, '2026-11-30'],
  ['2026-11-28', 1, '2026-11-30'],
  // Over Christmas and New Year.
  ['2026-12-24', 1, '2026-12-28'],
  ['2026-12-31', 1, '2027-01-04'],
  ['2026-11-20', 20, '2026-12-18'],
  ['2026-11-13', 1, '2026-11-17'],
] as const)('from %s, %i working days end on %s', (from, count, end) => {
  expect(afterWorkingDays(day(from), count)).toBe(end)
})
