import { findAttempts, lockAttempts, replaceAttempts } from '#server/db/sign-ins/attempts.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  type AttemptDecision,
  type AttemptPolicy,
  decideAttempt,
} from '#server/domain/identity/attempts/throttle.ts'
import type { AttemptLimit } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Duration, Instant } from '#server/domain/time.ts'

/**
 * Counts an attempt under `key` and decides whether it is allowed. Use several keys of one transaction always
 * in the same order: other attempts under a key wait until it ends.
 *
 * @param key one of `throttleKeys`
 * @param account one of `throttledAccounts` for the attempts of an account
 */
export async function consumeAttempt(
  trx: Transaction,
  key: string,
  at: Instant,
  policy: AttemptPolicy,
  account?: string,
): Promise<AttemptDecision> {
  const before = await lockAttempts(trx, { key, account }, at)
  const { count, decision } = decideAttempt(before, policy, at)
  await replaceAttempts(trx, key, count)
  return decision
}

/**
 * The first of these limits that refuses an attempt now, without counting one: most attempts of an attack are refused,
 * and a refusal that writes nothing holds up no other request.
 */
export async function findRefusal<Limit extends AttemptLimit>(
  db: Reader,
  limits: readonly Limit[],
  at: Instant,
): Promise<{ limit: Limit; retryAfter: Duration; isFirstRefusal: boolean } | undefined> {
  const keys = limits.map(({ key }) => key)
  const counts = await findAttempts(db, keys)
  for (const limit of limits) {
    const { decision } = decideAttempt(counts.get(limit.key), limit.policy, at)
    if (decision.allowed) continue
    const { retryAfter, isFirstRefusal } = decision
    return { limit, retryAfter, isFirstRefusal }
  }
  return undefined
}
