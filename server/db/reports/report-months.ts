import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Month } from '#server/domain/reports/month.ts'
import type { Instant } from '#server/domain/time.ts'

/** False if the reports of the month were begun before. */
export async function insertMonth(
  trx: Transaction,
  { officeId, month, at }: { officeId: OfficeId; month: Month; at: Instant },
): Promise<boolean> {
  const row = await trx
    .insertInto('report_months')
    .values({ office_id: officeId, month, begun_at: at, told_at: null })
    .onConflict((conflict) => conflict.columns(['office_id', 'month']).doNothing())
    .returning('month')
    .executeTakeFirst()
  return row !== undefined
}

/** The last month of the office whose reports were begun, if the administrators do not know that they are ready. */
export async function findUntoldMonth(db: Reader, officeId: OfficeId): Promise<Month | undefined> {
  const row = await db
    .selectFrom('report_months')
    .select(['month', 'told_at'])
    .where('office_id', '=', officeId)
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && row.told_at === null ? Month.parse(row.month) : undefined
}

/** Compare-and-swap: false if they were told before. */
export async function noteTold(
  trx: Transaction,
  { officeId, month, at }: { officeId: OfficeId; month: Month; at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('report_months')
    .set({ told_at: at })
    .where('office_id', '=', officeId)
    .where('month', '=', month)
    .where('told_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
