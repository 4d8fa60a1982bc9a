import type { Transaction } from '#server/db/transaction.ts'
import type { MailId } from '#server/domain/ids.ts'
import type { DiscardReason } from '#server/domain/mail/mail.ts'
import type { Instant } from '#server/domain/time.ts'
import { FORGOTTEN, isFree } from './outbox-rows.ts'

/**
 * Takes back whatever is not sent and is about something that is over, and forgets the secrets in it.
 *
 * @param about `activation:` or `signer:` and their ids
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
    .where('state', 'in', ['waiting', 'failed'])
    .execute()
}

/** Takes back what nobody sent in time, and forgets the secrets in it. Returns how many that were. */
export async function discardExpiredMail(trx: Transaction, now: Instant): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set(discarded('expired', now))
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('outbox')
    .set(FORGOTTEN)
    .where('sealed_body', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
  return Number(numUpdatedRows)
}

/** Compare-and-swap: false when it is neither waiting nor failed, or is being sent right now. */
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
