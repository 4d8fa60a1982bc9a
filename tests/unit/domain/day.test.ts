import { expect, test } from 'vitest'
import { Day, dayOf, endOfDay, shownInUtc, startOfDay } from '#server/domain/day.ts'
import { parseInstant, toTimestamp } from '#server/domain/time.ts'

const day = (text: string) => Day.parse(text)

test.each([
  ['America/Mexico_City', '2026-11-20', '2026-11-20T06:00:00.000Z', '2026-11-21T05:59:59.999Z'],
  ['America/Hermosillo', '2026-07-01', '2026-07-01T07:00:00.000Z', '2026-07-02T06:59:59.999Z'],
  ['UTC', '2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  // The clock is put forward: the day has 23 hours; back: 25.
  ['America/Tijuana', '2026-03-08', '2026-03-08T08:00:00.000Z', '2026-03-09T06:59:59.999Z'],
  ['America/Tijuana', '2026-11-01', '2026-11-01T07:00:00.000Z', '2026-11-02T07:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z'],
])('in %s the day %s lasts from %s to %s', (zone, text, start, end) => {
  expect(toTimestamp(startOfDay(day(text), zone))).toBe(start)
  expect(toTimestamp(endOfDay(day(text), zone))).toBe(end)
  expect(dayOf(parseInstant(start), zone)).toBe(text)
  expect(dayOf(parseInstant(end), zone)).toBe(text)
})

test.each(['2026-02-30', '20-11-2026', '', '2026-1-1', '2026-11-20T00:00:00Z'])(
  '%j is no day',
  (text) => {
    expect(Day.safeParse(text).success).toBe(false)
  },
)

test.each(['0000-01-01', '0001-01-01', '0099-12-31', '1800-06-15', '9999-12-31'])(
  'the day %s has a start and an end, as every day that an address can have',
  (text) => {
    for (const zone of ['America/Mexico_City', 'UTC', 'Pacific/Kiritimati']) {
      const [start, end] = [startOfDay(day(text), zone), endOfDay(day(text), zone)]
      expect(Math.abs(start - Date.parse(text))).toBeLessThan(15 * 60 * 60 * 1000)
      expect(end - start).toBe(24 * 60 * 60 * 1000 - 1)
    }
  },
)

test('time for a format without zones: UTC shows what the clocks of the zone show', () => {
  const night = parseInstant('2026-11-27T04:03:00Z')
  expect(toTimestamp(shownInUtc(night, 'America/Mexico_City'))).toBe('2026-11-26T22:03:00.000Z')
  expect(toTimestamp(shownInUtc(night, 'America/Tijuana'))).toBe('2026-11-26T20:03:00.000Z')
})
