import { lockAttempts, replaceAttempts } from '#server/db/sign-ins/attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  type AttemptDecision,
  type AttemptPolicy,
  decideAttempt,
} from '#server/domain/identity/throttle.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Counts an attempt under `key` and decides whether it is allowed. Use several keys of one transaction always
 * in the same order: other attempts under a key wait until it ends.
 *
 * @param key one of `throttleKeys`
 */
export async function consumeAttempt(
  trx: Transaction,
  key: string,
  at: Instant,
  policy: AttemptPolicy,
): Promise<AttemptDecision> {
  const { count, decision } = decideAttempt(await lockAttempts(trx, key, at), policy, at)
  await replaceAttempts(trx, key, count)
  return decision
}
