import type { Database } from '#server/db/database.ts'
import { endAttempts, refundAttempt } from '#server/db/sign-ins/attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AttemptLimit } from '#server/domain/identity/attempts/throttle-keys.ts'

/** One of the limits that an authentication attempt counts against. */
export type Budget = AttemptLimit & {
  /** For the log: which limit was reached. */
  readonly limit: 'device' | 'network' | 'account' | 'account-anywhere' | 'session'
  /** Whether success refunds this attempt or resets the count. */
  readonly whenRight: 'refund' | 'forget'
}

/** Returns the cost of a successful attempt. */
export async function releaseBudgets(trx: Transaction, budgets: readonly Budget[]): Promise<void> {
  for (const { key, whenRight } of budgets)
    await (whenRight === 'forget' ? endAttempts(trx, key) : refundAttempt(trx, key))
}

/**
 * Awaits a counted attempt and refunds it if it could not be made, because too many are waiting or a secret
 * cannot be unsealed.
 *
 * @param alsoBack refunds what else was counted for it
 */
export async function refundUnlessMade<T>(
  db: Database,
  budgets: readonly Budget[],
  attempt: Promise<T>,
  alsoBack?: (trx: Transaction) => Promise<void>,
): Promise<T> {
  try {
    return await attempt
  } catch (error) {
    await db.transaction(async (trx) => {
      for (const { key } of budgets) await refundAttempt(trx, key)
      await alsoBack?.(trx)
    })
    throw error
  }
}
