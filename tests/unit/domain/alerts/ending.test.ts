import { expect, test } from 'vitest'
import { noticeOf } from '#server/domain/alerts/ending.ts'
import { after, days, hours, instantOf } from '#server/domain/time.ts'

const NOW = instantOf(Date.parse('2026-11-26T16:00:00Z'))

test.each([
  [91, undefined],
  [90.5, undefined],
  [90, 90],
  [61, 90],
  [60, 60],
  [31, 60],
  [30, 30],
  [15, 15],
  [8, 15],
  [7, 7],
  [1.5, 7],
  [1, 1],
  [0.1, 1],
  [0, 1],
  [-0.1, undefined],
])('notice: what ends in %d days gets the notice of %d days', (left, notice) => {
  expect(noticeOf(after(NOW, hours(24 * left)), NOW)).toBe(notice)
})

test('notice: days are counted in hours of the clock', () => {
  expect(noticeOf(after(NOW, days(7)), NOW)).toBe(7)
})
