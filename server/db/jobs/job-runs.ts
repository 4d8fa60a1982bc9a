import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Instant } from '#server/domain/time.ts'

/** When each job last ended well, by name. */
export async function listJobRuns(db: Reader): Promise<Map<string, Instant>> {
  const rows = await db.selectFrom('job_runs').selectAll().execute()
  return new Map(rows.map((row) => [row.job, row.ended_at]))
}

export async function replaceJobRun(trx: Transaction, job: string, at: Instant): Promise<void> {
  await trx
    .insertInto('job_runs')
    .values({ job, ended_at: at })
    .onConflict((conflict) => conflict.column('job').doUpdateSet({ ended_at: at }))
    .execute()
}
