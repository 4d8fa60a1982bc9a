import type { BackupRow } from '#server/db/tables/backups.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Backup } from '#server/domain/backups/backup.ts'
import type { Instant } from '#server/domain/time.ts'

/** @param until later ones are of a clock that was wrong */
export async function findLastBackup(db: Reader, until: Instant): Promise<Backup | undefined> {
  const row = await db
    .selectFrom('backups')
    .selectAll()
    .where('made_at', '<=', until)
    .orderBy('made_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toBackup(row)
}

/** Newest first. */
export async function listBackups(db: Reader, limit: number): Promise<Backup[]> {
  const rows = await db
    .selectFrom('backups')
    .selectAll()
    .orderBy('made_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toBackup)
}

const toBackup = (row: BackupRow): Backup =>
  Backup.parse({ ...row, madeAt: row.made_at, since: row.since_id })

/** Does nothing if it is known. */
export async function insertBackup(trx: Transaction, backup: Backup): Promise<void> {
  const { madeAt, since, ...rest } = backup
  await trx
    .insertInto('backups')
    .values({ ...rest, made_at: madeAt, since_id: since })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}
