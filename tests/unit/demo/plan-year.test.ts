import { expect, test } from 'vitest'
import { officeDays, ZONE } from '#server/demo/year/calendar.ts'
import { planYear } from '#server/demo/year/plan-year.ts'
import { dayOf } from '#server/domain/day.ts'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { numberIn } from '#server/domain/documents/numbers/series-number.ts'
import { after, before, days, type Instant, parseInstant } from '#server/domain/time.ts'

/** Ends at working hours, at night, on Sundays, on days off, in leap years. */
const ENDS = [
  ...['2026-11-27T19:20:00Z', '2027-01-01T06:30:00Z', '2027-02-07T18:00:00Z'],
  ...['2027-05-01T23:59:59Z', '2028-02-29T15:00:00Z', '2028-09-16T12:00:00Z'],
  ...['2029-12-24T20:00:00Z', '2031-06-30T03:00:00Z'],
].map(parseInstant)

test('the same end gives the same year', () => {
  const [end] = ENDS as [Instant]
  expect(planYear(end)).toEqual(planYear(end))
})

test.each(ENDS)('the year that ends at %d', (end) => {
  const { begin, tasks, documents } = planYear(end)
  expect(documents).toHaveLength(293)
  expect(new Set(documents.map(({ deed }) => deed.title)).size).toBe(293)
  const times = tasks.map(({ at }) => at)
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThan(begin)
  expect(times.at(-1)).toBeLessThan(end)
  // The e.firmas of the demo begin 365 days before it starts.
  expect(begin).toBeGreaterThan(before(end, days(365)))
  expect(begin).toBeLessThan(after(before(end, days(365)), days(20)))
  const numbers = documents.flatMap(({ deed: { kind, instrument } }) =>
    seriesOfKind(kind) === INSTRUMENT_SERIES ? (numberIn(instrument?.number ?? '') ?? []) : [],
  )
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers.at(-1)).toBe(4519)
  expect(tasks.filter(({ work }) => work.kind === 'reserve-number')).toHaveLength(3)
  const open = new Set(officeDays(end).map(({ day }) => day))
  for (const { at, document, work } of tasks)
    if (document && work.kind !== 'expire-session') expect(open).toContain(dayOf(at, ZONE))
  const ends = (kind: string) => tasks.filter(({ work }) => work.kind === kind).length
  expect(ends('archive')).toBeGreaterThan(20)
  for (const kind of ['reject', 'cancel-session', 'expire-session', 'record-copy', 'tick'])
    expect([kind, ends(kind) > 0]).toEqual([kind, true])
})

test('the office is closed on weekends and days off', () => {
  const open = officeDays(parseInstant('2026-11-27T19:20:00Z')).map(({ day }) => day as string)
  expect(open).not.toContain('2026-11-21')
  expect(open).not.toContain('2026-11-16')
  expect(open).not.toContain('2025-12-25')
  expect(open).not.toContain('2026-05-01')
  expect(open).toContain('2026-11-26')
})
