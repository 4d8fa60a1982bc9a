import type { Actor } from '#server/domain/identity/actor.ts'
import type { AttemptPolicy } from '#server/domain/identity/throttle.ts'
import { throttleKeys } from '#server/domain/identity/throttle-keys.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import { consumeAttempt } from '#server/steps/sign-ins/consume-attempt.ts'
import type { System } from '#server/system.ts'

/**
 * Many users of a registry or a bank share one address; guessing codes would need far more attempts than this.
 */
const POLICIES = {
  code: { free: 60, window: minutes(10) },
  file: { free: 60, window: minutes(10) },
} satisfies Record<string, AttemptPolicy>

/**
 * Counts a public request by network before any work is done for it.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function consumePublicAttempt(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  what: keyof typeof POLICIES,
): Promise<void> {
  const key = throttleKeys.publicVerification(what, actor.ip)
  const spent = await db.transaction((trx) => consumeAttempt(trx, key, clock.now(), POLICIES[what]))
  if (spent.allowed) return
  const { retryAfter } = spent
  throw new Problem('too-many-attempts', `no more of ${key}`, { retryAfter })
}
