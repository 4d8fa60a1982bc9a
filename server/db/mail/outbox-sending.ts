import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { MailId, OfficeId } from '#server/domain/ids.ts'
import type { Mail } from '#server/domain/mail/mail.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import { FORGOTTEN, isFree, toMail } from './outbox-rows.ts'

/** Longer than any attempt: when the lease ends, its holder has died. */
const LEASE = minutes(5)

/** Whether `claimDueMail` would find one; takes no lock. */
export async function hasDueMail(db: Reader, now: Instant, of: Senders): Promise<boolean> {
  return (await dueMail(db, now, of).select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Since when the mail that is due longest has been due. */
export async function findOldestDue(db: Reader, now: Instant): Promise<Instant | undefined> {
  const row = await dueMail(db, now, 'everyone')
    .select('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at
}

/** Leases the due mail that has waited longest to this caller. Skips expired mail. */
export async function claimDueMail(
  trx: Transaction,
  now: Instant,
  of: Senders = 'everyone',
): Promise<Mail | undefined> {
  const due = await dueMail(trx, now, of).selectAll().limit(CANDIDATES).execute()
  for (const row of due) {
    const lease = { attempts: row.attempts + 1, leased_until: after(now, LEASE) }
    const { numUpdatedRows } = await trx
      .updateTable('outbox')
      .set(lease)
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', now)
      .where(isFree(now))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) return toMail({ ...row, ...lease })
  }
}

/** Whose mail: one office's, or that of all. */
type Senders = OfficeId | 'everyone'

function dueMail(db: Reader, now: Instant, of: Senders) {
  const due = db
    .selectFrom('outbox')
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .where('expires_at', '>', now)
    .where(isFree(now))
    .orderBy('next_attempt_at')
    .orderBy('id')
  return of === 'everyone' ? due : due.where('office_id', '=', of)
}

/* Candidates per query, so that concurrent processes each find a free one. */
const CANDIDATES = 20

/** How an attempt ended. */
export type AttemptEnd =
  | { state: 'sent' }
  | { state: 'waiting'; nextAttemptAt: Instant; error: string }
  | { state: 'failed'; error: string }

/**
 * Records the result of an attempt. False if the mail was discarded meanwhile, or leased to another process
 * because the lease ended; a sent mail is recorded even then.
 */
export async function finishMail(
  trx: Transaction,
  mail: Pick<Mail, 'id' | 'leasedUntil'>,
  end: AttemptEnd,
  at: Instant,
): Promise<boolean> {
  const update = trx.updateTable('outbox').where('id', '=', mail.id)
  const ended =
    end.state === 'sent'
      ? update
          .set({ ...SENT, state_since: at, ...UNLEASED, ...FORGOTTEN })
          .where('state', '!=', 'sent')
      : update
          .set({
            last_error: end.error,
            ...UNLEASED,
            ...(end.state === 'failed'
              ? { state: 'failed', state_since: at }
              : { next_attempt_at: end.nextAttemptAt }),
          })
          .where('state', '=', 'waiting')
          .where('leased_until', '=', mail.leasedUntil)
  const { numUpdatedRows } = await ended.executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const UNLEASED = { leased_until: null }
const SENT = { state: 'sent', last_error: null, discarded_because: null }

/**
 * Makes the mail due now with a fresh count of attempts. Compare-and-swap: false if it was sent or discarded,
 * has expired, or is being sent.
 */
export async function retryMail(trx: Transaction, id: MailId, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('outbox')
    .set({ state: 'waiting', state_since: now, attempts: 0, next_attempt_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'failed'])
    .where('expires_at', '>', now)
    .where(isFree(now))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
