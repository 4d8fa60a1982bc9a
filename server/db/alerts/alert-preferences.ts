import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { AlertMail } from '#server/domain/alerts/alert-mail.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** What these users chose; those who chose nothing are absent. */
export async function findAlertMail(
  db: Reader,
  ids: Iterable<UserId>,
): Promise<Map<UserId, AlertMail>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('alert_preferences')
      .select(['user_id', 'mail'])
      .where('user_id', 'in', chunk)
      .execute(),
  )
  return new Map(rows.map((row) => [row.user_id as UserId, AlertMail.parse(row.mail)]))
}

/** Alerts before `at` are in no daily mail: they were mailed, or not, as was chosen before. */
export async function replaceAlertMail(
  trx: Transaction,
  userId: UserId,
  mail: AlertMail,
  at: Instant,
): Promise<void> {
  const row = { mail, since: at, digested_at: at }
  await trx
    .insertInto('alert_preferences')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** A user who gets the alerts of a day in one mail. */
export type DigestReader = { userId: UserId; digestedAt: Instant }

/** The active users who chose a daily mail. */
export async function listDigestReaders(db: Reader): Promise<DigestReader[]> {
  const rows = await db
    .selectFrom('alert_preferences')
    .innerJoin('users', 'users.id', 'alert_preferences.user_id')
    .select(['user_id', 'digested_at'])
    .where('mail', '=', 'daily')
    .where('users.state', '=', 'active')
    .execute()
  return rows.map((row) => ({ userId: row.user_id as UserId, digestedAt: row.digested_at }))
}

/** Compare-and-swap: false if another process has written the mail of this day, or the user chose anew. */
export async function replaceDigestTime(
  trx: Transaction,
  { userId, digestedAt }: DigestReader,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alert_preferences')
    .set({ digested_at: at })
    .where('user_id', '=', userId)
    .where('digested_at', '=', digestedAt)
    .where('mail', '=', 'daily')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
