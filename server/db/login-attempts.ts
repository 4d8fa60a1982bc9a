import { sql } from 'kysely'
import { before, type Duration, type Instant } from '#server/domain/time.ts'
import type { Transaction } from './transaction.ts'

/**
 * Counts one more attempt under `key` and returns how many there are in the current window, this one
 * included. One statement, so that attempts at the same instant are all counted.
 */
export async function spendAttempt(
  trx: Transaction,
  key: string,
  now: Instant,
  window: Duration,
): Promise<number> {
  const isOver = sql<boolean>`login_attempts.window_started_at <= ${before(now, window)}`
  const { attempts } = await trx
    .insertInto('login_attempts')
    .values({ key, window_started_at: now, attempts: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        attempts: sql`case when ${isOver} then 1 else login_attempts.attempts + 1 end`,
        window_started_at: sql`case when ${isOver} then excluded.window_started_at else login_attempts.window_started_at end`,
      }),
    )
    .returning('attempts')
    .executeTakeFirstOrThrow()
  return attempts
}

/** Takes back one attempt that turned out to be rightful. */
export async function refundAttempt(trx: Transaction, key: string): Promise<void> {
  await trx
    .updateTable('login_attempts')
    .set({ attempts: sql`attempts - 1` })
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute()
}

/** Forgets every attempt under `key`. */
export async function endAttempts(trx: Transaction, key: string): Promise<void> {
  await trx.deleteFrom('login_attempts').where('key', '=', key).execute()
}
