import { sql } from 'kysely'
import type { AttemptsRow } from '#server/db/tables/sign-ins.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { LockingCount } from '#server/domain/identity/attempts/account-lock.ts'
import type { AttemptCount } from '#server/domain/identity/attempts/throttle.ts'
import { EPOCH, type Instant } from '#server/domain/time.ts'

/** Refunds one attempt that proved legitimate. */
export async function refundAttempt(trx: Transaction, key: string): Promise<void> {
  await trx
    .updateTable('attempts')
    .set({ attempts: sql`attempts - 1` })
    .where('key', '=', key)
    .where('attempts', '>', 0)
    .execute()
}

/** Deletes the count of `key`. */
export async function endAttempts(trx: Transaction, key: string): Promise<void> {
  await trx.deleteFrom('attempts').where('key', '=', key).execute()
}

/** The counts of these keys; those without attempts are absent. */
export async function findAttempts(
  db: Reader,
  keys: readonly string[],
): Promise<Map<string, AttemptCount>> {
  const rows = await db.selectFrom('attempts').selectAll().where('key', 'in', keys).execute()
  return new Map(rows.map((row) => [row.key, toCount(row)]))
}

/** The most counts of one account that are read: 100 attempts an hour from new devices, and a few devices. */
const MOST_OF_ACCOUNT = 500

/**
 * The counts of the attempts at these accounts, those that block longest first.
 *
 * @param accounts each one of `throttledAccounts`
 */
export async function listAttemptsOf(
  db: Reader,
  accounts: readonly string[],
): Promise<{ key: string; count: AttemptCount }[]> {
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where('account', 'in', accounts)
    .orderBy('blocked_until', 'desc')
    .limit(MOST_OF_ACCOUNT)
    .execute()
  return rows.map((row) => ({ key: row.key, count: toCount(row) }))
}

/**
 * Those of the accounts that are locked at `at`: one row for each, no matter how many counts lock it.
 *
 * @param accounts each one of `throttledAccounts`
 * @param counts those of `lockingCounts`
 */
export async function listLockedAccounts(
  db: Reader,
  accounts: readonly string[],
  at: Instant,
  counts: readonly LockingCount[],
): Promise<Set<string>> {
  if (accounts.length === 0) return new Set()
  const rows = await db
    .selectFrom('attempts')
    .select('account')
    .distinct()
    .where('account', 'in', accounts)
    .where(({ eb, and, or }) =>
      or([
        eb('blocked_until', '>', at),
        ...counts.map(({ keysOf, attempts, after }) =>
          and([
            eb('key', 'like', `${keysOf}%`),
            eb('attempts', '>=', attempts),
            eb('window_started_at', '>', after),
          ]),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ account }) => account).filter((account) => account !== null))
}

/** Deletes all counts of the attempts at these accounts. Returns how many there were. */
export async function endAttemptsOf(
  trx: Transaction,
  accounts: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('attempts')
    .where('account', 'in', accounts)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * The count of `key`, locked until the transaction ends, so that concurrent attempts are all counted. Lock
 * several keys always in the same order.
 *
 * @param account one of `throttledAccounts` for the attempts of an account
 */
export async function lockAttempts(
  trx: Transaction,
  { key, account = null }: { key: string; account?: string | undefined | null },
  at: Instant,
): Promise<AttemptCount> {
  // Written even if it exists: this takes the row lock.
  const row = await trx
    .insertInto('attempts')
    .values({ key, window_started_at: at, attempts: 0, refused: 0, blocked_until: EPOCH, account })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ attempts: sql`attempts.attempts` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toCount(row)
}

/** The caller must hold `lockAttempts`. */
export async function replaceAttempts(
  trx: Transaction,
  key: string,
  count: AttemptCount,
): Promise<void> {
  await trx.updateTable('attempts').set(toValues(count)).where('key', '=', key).execute()
}

function toCount(row: AttemptsRow): AttemptCount {
  return {
    windowStartedAt: row.window_started_at,
    attempts: row.attempts,
    refused: row.refused,
    blockedUntil: row.blocked_until,
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
