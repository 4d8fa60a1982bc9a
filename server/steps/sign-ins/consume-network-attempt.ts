import type { Database } from '#server/db/database.ts'
import type { AttemptPolicy } from '#server/domain/identity/attempts/throttle.ts'
import { networkLimits } from '#server/domain/identity/attempts/throttle-keys.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { consumeAttempt, findRefusal } from './consume-attempt.ts'

/**
 * Counts a request of an address against each of its networks, before any work is done for it.
 *
 * @param keyOf one of `throttleKeys` that take a network
 * @throws {Problem} `too-many-attempts`
 */
export async function consumeNetworkAttempt(
  db: Database,
  { keyOf, ip, policy }: { keyOf: (network: string) => string; ip: string; policy: AttemptPolicy },
  at: Instant,
): Promise<void> {
  const limits = networkLimits(keyOf, ip, policy)
  const refused =
    (await findRefusal(db, limits, at)) ??
    (await db.transaction(async (trx) => {
      for (const limit of limits) {
        const spent = await consumeAttempt(trx, limit.key, at, limit.policy)
        if (!spent.allowed) return { limit, retryAfter: spent.retryAfter }
      }
      return undefined
    }))
  if (!refused) return
  const { limit, retryAfter } = refused
  throw new Problem('too-many-attempts', `no more of ${limit.key}`, { retryAfter })
}
