import { sql } from 'kysely'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { dayNumberOf, type Figure, figureOf } from '#server/domain/audit/figure.ts'
import type { OfficeId } from '#server/domain/ids.ts'

/** Counts the event in the figure of its day, if it has one. The caller must hold the lock of the log. */
export async function countEvent(trx: Transaction, event: AuditEvent): Promise<void> {
  const figure = figureOf(event)
  if (!figure || event.officeId === null) return
  await trx
    .insertInto('daily_figures')
    .values({ office_id: event.officeId, figure, day: dayNumberOf(event.at), count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['office_id', 'figure', 'day'])
        .doUpdateSet({ count: sql`daily_figures.count + 1` }),
    )
    .execute()
}

/** How often each figure was counted, from this day on, by day; days without any are absent. */
export async function listDailyFigures(
  db: Reader,
  officeId: OfficeId,
  from: number,
): Promise<{ figure: Figure; day: number; count: number }[]> {
  const rows = await db
    .selectFrom('daily_figures')
    .select(['figure', 'day', 'count'])
    .where('office_id', '=', officeId)
    .where('day', '>=', from)
    .execute()
  return rows.map(({ figure, day, count }) => ({
    figure: figure as Figure,
    day: Number(day),
    count: Number(count),
  }))
}
