import { type RawBuilder, sql } from 'kysely'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId, SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { type Duration, EPOCH, type Instant } from '#server/domain/time.ts'

/** When it became the signer's turn, and when their next automatic reminder is due; null if none is. */
export type ReminderRow = { turnSince: Instant; due: Instant | null }

/** The turn of these signers begins. */
export async function beginTurns(
  trx: Transaction,
  ids: readonly SignerId[],
  { turnSince, due }: ReminderRow,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('signers')
    .set({ turn_since: turnSince, reminder_due: due ?? EPOCH })
    .where('id', 'in', ids)
    .execute()
}

export type DueReminder = { signerId: SignerId; signingSessionId: SigningSessionId }

/** Signers with a due reminder, whatever became of their session; longest due first. */
export async function listDueReminders(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<DueReminder[]> {
  const rows = await db
    .selectFrom('signers')
    .select(['id', 'signing_session_id'])
    .where('reminder_due', '>', EPOCH)
    .where('reminder_due', '<=', now)
    .orderBy('reminder_due')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    signerId: row.id as SignerId,
    signingSessionId: row.signing_session_id as SigningSessionId,
  }))
}

/** The caller must hold the session's lock. */
export async function findReminder(
  trx: Transaction,
  id: SignerId,
): Promise<ReminderRow | undefined> {
  const row = await trx
    .selectFrom('signers')
    .select(['turn_since', 'reminder_due'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { turnSince: row.turn_since, due: row.reminder_due || null }
}

/** @param due null for no further reminder */
export async function replaceReminderDue(
  trx: Transaction,
  id: SignerId,
  due: Instant | null,
): Promise<void> {
  await trx
    .updateTable('signers')
    .set({ reminder_due: due ?? EPOCH })
    .where('id', '=', id)
    .execute()
}

/**
 * The office chose other reminders: signers who wait now get the next one that lies ahead.
 *
 * @param waits how long they have waited at each reminder, shortest first
 */
export async function rescheduleReminders(
  trx: Transaction,
  officeId: OfficeId,
  waits: readonly Duration[],
  now: Instant,
): Promise<void> {
  const never: RawBuilder<Instant> = sql`${EPOCH}`
  const due = waits.reduceRight<RawBuilder<Instant>>(
    (later, wait) =>
      sql`case when turn_since + ${sql.lit(wait)} > ${now} then turn_since + ${sql.lit(wait)} else ${later} end`,
    never,
  )
  await trx
    .updateTable('signers')
    .set({ reminder_due: due })
    .where('signing_session_id', 'in', (eb) =>
      eb
        .selectFrom('signing_sessions')
        .select('id')
        .where('office_id', '=', officeId)
        .where('state', '=', 'open'),
    )
    .where('state', '=', 'pending')
    .where('turn_since', '>', EPOCH)
    .execute()
}
