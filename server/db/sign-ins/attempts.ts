import { sql } from 'kysely'
import type { AttemptsRow } from '#server/db/tables/coming-in.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  type AttemptCount,
  type AttemptDecision,
  type AttemptPolicy,
  decideAttempt,
} from '#server/domain/identity/throttle.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Counts one more attempt under `key`, and says whether it passes. Whoever spends under several keys in one
 * transaction always does so in the same order; other attempts under the key wait until it ends, so that
 * attempts at the same instant are all counted.
 *
 * @param key what is counted, and a hash of whose: `code:5e88…`
 */
export async function spendAttempt(
  trx: Transaction,
  key: string,
  at: Instant,
  policy: AttemptPolicy,
): Promise<AttemptDecision> {
  const { count, decision } = decideAttempt(await holdCount(trx, key, at), policy, at)
  await trx.updateTable('attempts').set(toValues(count)).where('key', '=', key).execute()
  return decision
}

/** Takes back one attempt that turned out to be rightful. */
export async function refundAttempt(trx: Transaction, key: string): Promise<void> {
  await trx
    .updateTable('attempts')
    .set({ attempts: sql`attempts - 1` })
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute()
}

/** Forgets every attempt under `key`. */
export async function endAttempts(trx: Transaction, key: string): Promise<void> {
  await trx.deleteFrom('attempts').where('key', '=', key).execute()
}

/* Writes the row even when it is there: the lock on it is what makes the others wait. */
async function holdCount(
  trx: Transaction,
  key: string,
  at: Instant,
): Promise<AttemptCount | undefined> {
  const row = await trx
    .insertInto('attempts')
    .values({ key, window_started_at: at, attempts: 0, refused: 0, blocked_until: 0 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ attempts: sql`attempts.attempts` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCount(row)
}

function toCount(row: AttemptsRow): AttemptCount {
  return {
    windowStartedAt: row.window_started_at as Instant,
    attempts: row.attempts,
    refused: row.refused,
    blockedUntil: row.blocked_until as Instant,
  }
}

function toValues(count: AttemptCount) {
  return {
    window_started_at: count.windowStartedAt,
    attempts: count.attempts,
    refused: count.refused,
    blocked_until: count.blockedUntil,
  }
}
