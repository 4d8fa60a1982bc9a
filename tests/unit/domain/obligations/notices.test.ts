import { expect, test } from 'vitest'
import type { Day } from '#server/domain/day.ts'
import { firstNoticeOn, nextNoticeOn, noticeAt } from '#server/domain/obligations/notices.ts'

const DUE = '2026-12-10' as Day

test.each([
  ['2026-12-02', undefined, '2026-12-03'],
  ['2026-12-03', 7, '2026-12-07'],
  ['2026-12-06', 7, '2026-12-07'],
  ['2026-12-07', 3, '2026-12-10'],
  ['2026-12-10', 0, '2026-12-11'],
  ['2026-12-11', -1, null],
  ['2027-03-01', -1, null],
])('notices: on %s it is %s, the next on %s', (today, notice, next) => {
  expect(noticeAt(DUE, today as Day)).toBe(notice)
  expect(nextNoticeOn(DUE, today as Day)).toBe(next)
})

test('notices: the first is a week before', () => {
  expect(firstNoticeOn(DUE)).toBe('2026-12-03')
})
