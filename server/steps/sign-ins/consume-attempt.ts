import { lockAttempts, replaceAttempts } from '#server/db/sign-ins/attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  type AttemptDecision,
  type AttemptPolicy,
  decideAttempt,
} from '#server/domain/identity/attempts/throttle.ts'
import type { Instant } from '#server/domain/time.ts'

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
