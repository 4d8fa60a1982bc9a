import { sql } from 'kysely'
import type { VainAttemptsRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  VAIN_WINDOW,
  type VainAttempt,
  type VainCount,
} from '#server/domain/identity/attempts/vain-attempts.ts'
import { OfficeId, UserId } from '#server/domain/ids.ts'
import { before, EPOCH, type Instant } from '#server/domain/time.ts'

/**
 * Marks the attempt as logged at `at`, if nothing like it was logged in the last minute or is waiting for its event.
 *
 * @returns undefined if the caller has to log it, otherwise when an event was logged last
 */
export async function beginVainWindow(
  trx: Transaction,
  attempt: VainAttempt,
  at: Instant,
): Promise<Instant | undefined> {
  const row = { ...toRow(attempt, at), logged_at: at, attempts: 0 }
  const begun = await trx
    .insertInto('vain_attempts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(row)
        .where(sql<boolean>`vain_attempts.attempts = 0 and ${isOverAt(at)}`),
    )
    .returning('key')
    .executeTakeFirst()
  if (begun) return undefined
  const { logged_at: loggedAt } = await trx
    .selectFrom('vain_attempts')
    .select('logged_at')
    .where('key', '=', attempt.key)
    .executeTakeFirstOrThrow()
  return loggedAt
}

/** Adds the attempts to those that wait for their event. */
export async function addVainAttempts(trx: Transaction, count: VainCount): Promise<void> {
  const { attempts, firstAt, lastAt } = count
  const { warning_at, ...row } = toRow(count, firstAt)
  const added = { ...row, attempts, first_at: firstAt, last_at: lastAt }
  await trx
    .insertInto('vain_attempts')
    .values({ ...added, logged_at: EPOCH, warning_at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        ...row,
        attempts: sql`vain_attempts.attempts + ${attempts}`,
        first_at: sql`coalesce(vain_attempts.first_at, ${firstAt})`,
        last_at: lastAt,
      }),
    )
    .execute()
}

/** Some attempts whose last event is a minute old. */
export async function listDueVainAttempts(
  db: Reader,
  at: Instant,
  limit: number,
): Promise<VainCount[]> {
  const rows = await db
    .selectFrom('vain_attempts')
    .selectAll()
    .where(sql<boolean>`attempts > 0`)
    .where(isOverAt(at))
    .limit(limit)
    .execute()
  return rows.map(toCount)
}

/** Marks the attempts as logged. */
export async function endVainCount(trx: Transaction, key: string, at: Instant): Promise<void> {
  await trx
    .updateTable('vain_attempts')
    .set({ logged_at: at, attempts: 0, first_at: null, last_at: null })
    .where('key', '=', key)
    .execute()
}

/** Some attempts of which their user has to be warned, with the time of the attempt. */
export async function listVainWarnings(
  db: Reader,
  limit: number,
): Promise<{ attempt: VainAttempt; at: Instant }[]> {
  const rows = await db
    .selectFrom('vain_attempts')
    .selectAll()
    .where(sql<boolean>`warning_at is not null`)
    .limit(limit)
    .execute()
  return rows.map((row) => ({ attempt: toAttempt(row), at: row.warning_at ?? row.logged_at }))
}

/** Marks the user as warned. */
export async function endVainWarning(trx: Transaction, key: string): Promise<void> {
  await trx.updateTable('vain_attempts').set({ warning_at: null }).where('key', '=', key).execute()
}

/** Also if the clock was set back: otherwise nothing would be logged until it is as late again. */
const isOverAt = (at: Instant) =>
  sql<boolean>`(vain_attempts.logged_at <= ${before(at, VAIN_WINDOW)} or vain_attempts.logged_at > ${at})`

function toRow(attempt: VainAttempt, at: Instant) {
  const { key, action, officeId, userId, details, ip, device, requestId, isWarning } = attempt
  return {
    ...{ key, action, ip, device },
    office_id: officeId,
    user_id: userId,
    details: JSON.stringify(details),
    request_id: requestId,
    // Also for unknown accounts, which no one is warned of: an existing one must not take longer.
    warning_at: isWarning ? at : null,
  }
}

function toAttempt(row: VainAttemptsRow): VainAttempt {
  return {
    key: row.key,
    action: row.action as VainAttempt['action'],
    details: JSON.parse(row.details),
    officeId: OfficeId.nullable().parse(row.office_id),
    userId: UserId.nullable().parse(row.user_id),
    ip: row.ip,
    device: row.device,
    requestId: row.request_id,
    isWarning: row.warning_at !== null,
  }
}

function toCount(row: VainAttemptsRow): VainCount {
  const { attempts, logged_at: loggedAt } = row
  return {
    ...toAttempt(row),
    attempts: Number(attempts),
    firstAt: row.first_at ?? loggedAt,
    lastAt: row.last_at ?? loggedAt,
  }
}
