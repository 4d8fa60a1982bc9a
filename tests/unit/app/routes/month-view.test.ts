import { expect, test } from 'vitest'
import { monthView } from '#app/routes/obligations/month-view.ts'
import type { Day } from '#server/domain/day.ts'
import type { Month } from '#server/domain/reports/month.ts'

const viewOf = (month: string, days: [string, number][] = []) =>
  monthView({
    calendar: { month: month as Month, days: new Map(days as [Day, number][]) },
    today: '2026-11-20' as Day,
  })

test.each([
  ['that begins on a Sunday', '2026-11', 6, 6],
  ['that begins on a Monday and has four weeks', '2027-02', 4, 0],
  ['that begins on a Tuesday', '2026-12', 5, 1],
])('month %s: weeks from Monday to Sunday', (_, month, weeks, lead) => {
  const view = viewOf(month)
  expect(view.weeks).toHaveLength(weeks)
  for (const week of view.weeks) expect(week).toHaveLength(7)
  const cells = view.weeks.flat()
  expect(cells.findIndex((cell) => cell !== null)).toBe(lead)
  expect(cells.find((cell) => cell !== null)?.day).toBe(`${month}-01`)
})

test('month: has counts, today, and the months beside it', () => {
  const view = viewOf('2026-11', [['2026-11-30', 3]])
  const cells = view.weeks.flat().filter((cell) => cell !== null)
  expect(cells.filter(({ count }) => count > 0)).toEqual([
    { day: '2026-11-30', number: 30, count: 3, isToday: false },
  ])
  expect(cells.filter(({ isToday }) => isToday).map(({ day }) => day)).toEqual(['2026-11-20'])
  expect(view).toMatchObject({ name: 'noviembre de 2026', before: '2026-10', after: '2026-12' })
})
