import { weekdayOf } from '#server/domain/calendar/working-days.ts'
import { Day, daysAfter } from '#server/domain/day.ts'
import { lastDayOf, type Month, monthBefore, nextMonth } from '#server/domain/reports/month.ts'
import type { DeadlinePage } from '#server/features/obligations/list-deadlines.ts'
import { monthText } from '#server/words/reports.ts'

/** A month as weeks from Monday to Sunday; null for a day of another month. */
export function monthView({
  calendar: { month, days },
  today,
}: Pick<DeadlinePage, 'calendar' | 'today'>) {
  const first = Day.parse(`${month}-01`)
  const last = lastDayOf(month)
  // Monday is 0.
  const lead = (weekdayOf(first) + 6) % 7
  const cells = Array.from({ length: Math.ceil((lead + Number(last.slice(8))) / 7) * 7 }, (_, at) =>
    daysAfter(first, at - lead),
  ).map((day) =>
    day < first || day > last
      ? null
      : {
          ...{ day: day as string, number: Number(day.slice(8)) },
          ...{ count: days.get(day) ?? 0, isToday: day === today },
        },
  )
  return {
    name: monthText(month),
    ...{ before: monthBefore(first) as string, after: nextMonth(month as Month) as string },
    weeks: Array.from({ length: cells.length / 7 }, (_, week) =>
      cells.slice(7 * week, 7 * week + 7),
    ),
  }
}

export type MonthView = ReturnType<typeof monthView>
