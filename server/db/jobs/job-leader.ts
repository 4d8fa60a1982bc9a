import type { Reader, Transaction } from '#server/db/transaction.ts'

/** Which process runs the recurring jobs; `beat` grows while it is alive. Without a holder the place is free. */
export type JobLeader = { holder: string | null; beat: number }

/** Undefined before the first process took the place. */
export async function findJobLeader(db: Reader): Promise<JobLeader | undefined> {
  const row = await db.selectFrom('job_leader').select(['holder', 'beat']).executeTakeFirst()
  return row && { holder: row.holder, beat: Number(row.beat) }
}

/** Compare-and-swap: false if the row is not as it was seen. */
export async function replaceJobLeader(
  trx: Transaction,
  seen: JobLeader | undefined,
  next: JobLeader,
): Promise<boolean> {
  if (!seen) {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('job_leader')
      .values({ id: 1, ...next })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await trx
    .updateTable('job_leader')
    .set(next)
    .where('holder', seen.holder === null ? 'is' : '=', seen.holder)
    .where('beat', '=', seen.beat)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
