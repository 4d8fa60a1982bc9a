import type { Database } from '#server/db/database.ts'
import { endAttempts, refundAttempt } from '#server/db/sign-ins/attempts.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { AttemptPolicy } from '#server/domain/identity/attempts/throttle.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import { consumeAttempt, findRefusal } from './consume-attempt.ts'

/** One of the limits that an authentication attempt counts against. */
export type Budget = {
  /** For the log: which limit was reached. */
  readonly limit: 'device' | 'network' | 'account' | 'account-anywhere' | 'session'
  readonly key: string
  readonly policy: AttemptPolicy
  /** One of `throttledAccounts`, if it locks an account. */
  readonly account?: string
  /** Whether success refunds this attempt or resets the count. */
  readonly whenRight: 'refund' | 'forget'
}

export type BudgetDecision =
  /** `left`: attempts that the tightest budget still allows. */
  { allowed: true; left: number } | RefusedBudget

export type RefusedBudget = {
  allowed: false
  budget: Budget
  retryAfter: Duration
  /** Whether no attempt was refused since the last allowed one. */
  isFirstRefusal: boolean
}

/** The first budget that refuses an attempt now; nothing is counted. */
export async function findRefusedBudget(
  db: Reader,
  budgets: readonly Budget[],
  at: Instant,
): Promise<RefusedBudget | undefined> {
  const refusal = await findRefusal(db, budgets, at)
  if (!refusal) return undefined
  const { limit, ...rest } = refusal
  return { allowed: false, budget: limit, ...rest }
}

/**
 * Counts an attempt against each budget in order, up to the first that refuses; the budgets after it are not
 * charged.
 */
export async function consumeBudgets(
  trx: Transaction,
  budgets: readonly Budget[],
  at: Instant,
): Promise<BudgetDecision> {
  let left = Number.POSITIVE_INFINITY
  for (const budget of budgets) {
    const { key, policy, account } = budget
    const spent = await consumeAttempt(trx, key, at, policy, account)
    if (!spent.allowed) return { ...spent, budget }
    left = Math.min(left, Math.max(0, policy.free - spent.attempts))
  }
  return { allowed: true, left }
}

/** Returns the cost of a successful attempt. */
export async function releaseBudgets(trx: Transaction, budgets: readonly Budget[]): Promise<void> {
  for (const { key, whenRight } of budgets)
    await (whenRight === 'forget' ? endAttempts(trx, key) : refundAttempt(trx, key))
}

/** The problem for a refused attempt. */
export function tooManyAttempts({ budget, retryAfter }: RefusedBudget) {
  return new Problem('too-many-attempts', `no more attempts by ${budget.limit}`, { retryAfter })
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
