import type { NonWorkingDayRow } from '#server/db/tables/obligations.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Day } from '#server/domain/day.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { MOST_NON_WORKING_DAYS, NonWorkingDay } from '#server/domain/obligations/non-working-day.ts'

/** The office's list, the latest day first. */
export async function listNonWorkingDays(db: Reader, officeId: OfficeId): Promise<NonWorkingDay[]> {
  const rows = await db
    .selectFrom('non_working_days')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('day', 'desc')
    .limit(MOST_NON_WORKING_DAYS)
    .execute()
  return rows.map(toDay)
}

/** The days alone. */
export const listOwnDays = async (db: Reader, officeId: OfficeId): Promise<ReadonlySet<Day>> =>
  new Set((await listNonWorkingDays(db, officeId)).map(({ day }) => day))

/** False if the day is in the list. */
export async function insertNonWorkingDay(trx: Transaction, day: NonWorkingDay): Promise<boolean> {
  const { officeId, by, ...rest } = day
  const row = await trx
    .insertInto('non_working_days')
    .values({ ...rest, office_id: officeId, by_user: by })
    .onConflict((conflict) => conflict.columns(['office_id', 'day']).doNothing())
    .returning('day')
    .executeTakeFirst()
  return row !== undefined
}

/** The removed day; undefined if it was not in the list. */
export async function deleteNonWorkingDay(
  trx: Transaction,
  officeId: OfficeId,
  day: Day,
): Promise<NonWorkingDay | undefined> {
  const row = await trx
    .deleteFrom('non_working_days')
    .where('office_id', '=', officeId)
    .where('day', '=', day)
    .returningAll()
    .executeTakeFirst()
  return row && toDay(row)
}

const toDay = ({ office_id, by_user, ...row }: NonWorkingDayRow): NonWorkingDay =>
  NonWorkingDay.parse({ ...row, officeId: office_id, by: by_user })
