import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import type { MailId } from '#server/domain/ids.ts'
import type { DiscardReason } from '#server/domain/mail/mail.ts'
import type { Instant } from '#server/domain/time.ts'
import { FORGOTTEN, isFree } from './outbox-rows.ts'

/**
 * Discards unsent mail about subjects that are over, and erases its secrets.
 *
 * @param about `activation:`, `signer:` or `rejection:` followed by an id
 */
export async function discardMailAbout(
  trx: Transaction,
  about: readonly string[],
  because: DiscardReason,
  at: Instant,
): Promise<void> {
  if (about.length === 0) return
  await trx
    .updateTable('outbox')
    .set(discarded(because, at))
    .where('about', 'in', about)
    .where(unindexed<string>('state'), 'in', ['waiting', 'failed'])
    .execute()
}

/** Expired mail that was not sent, or that still holds a secret; at most `limit` of each. */
export async function listExpiredMail(
  db: Reader,
  { now, limit }: { now: Instant; limit: number },
): Promise<MailId[]> {
  const unsent = await db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  const secret = await db
    .selectFrom('outbox')
    .select('id')
    .where('sealed_body', 'is not', null)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return [...new Set([...unsent, ...secret].map(({ id }) => id as MailId))]
}

/** Discards those of these mails that were not sent, and erases the secrets of all. Returns the number discarded. */
export async function discardExpiredMail(
  trx: Transaction,
  expired: readonly MailId[],
  now: Instant,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(discarded('expired', now))
    .where('id', 'in', expired)
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('outbox')
    .set(FORGOTTEN)
    .where('id', 'in', expired)
    .where('sealed_body', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
  return Number(numUpdatedRows)
}

/** Compare-and-swap: false if the mail is neither waiting nor failed, or is being sent. */
export async function discardMail(trx: Transaction, id: MailId, at: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(discarded('by-hand', at))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .where(isFree(at))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const discarded = (because: DiscardReason, at: Instant) => ({
  state: 'discarded',
  state_since: at,
  discarded_because: because,
  ...FORGOTTEN,
})
