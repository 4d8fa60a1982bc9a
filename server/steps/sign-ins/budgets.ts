import type { Database } from '#server/db/database.ts'
import { endAttempts, refundAttempt } from '#server/db/sign-ins/attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AttemptPolicy } from '#server/domain/identity/throttle.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import { spendAttempt } from '#server/steps/sign-ins/spend-attempt.ts'

/** One of the counts under which an attempt to prove who one is falls. */
export type Budget = {
  /** For the log: whose patience is used up. */
  readonly limit: 'device' | 'network' | 'account' | 'account-anywhere' | 'session'
  readonly key: string
  readonly policy: AttemptPolicy
  /** Whether the right proof gives back this one attempt, or forgets all of them. */
  readonly whenRight: 'refund' | 'forget'
}

export type BudgetDecision =
  /** `left` is what the tightest of them still allows at once. */
  | { allowed: true; left: number }
  /** `isFirstRefusal` says when it is worth a line in the log. */
  | { allowed: false; limit: Budget['limit']; retryAfter: Duration; isFirstRefusal: boolean }

/**
 * Counts an attempt under each of them, in their order, up to the first that refuses: what one refuses costs
 * those behind it nothing.
 */
export async function spendBudgets(
  trx: Transaction,
  budgets: readonly Budget[],
  at: Instant,
): Promise<BudgetDecision> {
  let left = Number.POSITIVE_INFINITY
  for (const { limit, key, policy } of budgets) {
    const spent = await spendAttempt(trx, key, at, policy)
    if (!spent.allowed) return { ...spent, limit }
    left = Math.min(left, Math.max(0, policy.free - spent.attempts))
  }
  return { allowed: true, left }
}

/** Gives back what an attempt with the right proof had cost. */
export async function forgiveBudgets(trx: Transaction, budgets: readonly Budget[]): Promise<void> {
  for (const { key, whenRight } of budgets)
    await (whenRight === 'forget' ? endAttempts(trx, key) : refundAttempt(trx, key))
}

/** What whoever asks too often hears. */
export function tooManyAttempts({ limit, retryAfter }: BudgetDecision & { allowed: false }) {
  return new Problem('too-many-attempts', `no more attempts by ${limit}`, { retryAfter })
}

/**
 * Waits for the attempt that was counted. Where it could not be made, because too many wait or a secret does not
 * open, it costs nothing.
 *
 * @param alsoBack what else was counted for it
 */
export async function madeOrGivenBack<T>(
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
