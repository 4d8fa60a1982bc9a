import type { Database } from '#server/db/database.ts'
import type { AttemptPolicy } from '#server/domain/identity/attempts/throttle.ts'
import { networkLimits } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Instant } from '#server/domain/time.ts'
import { consumeLimitedAttempt, tooManyAttempts } from './consume-limited-attempt.ts'

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
  const spent = await consumeLimitedAttempt(db, networkLimits(keyOf, ip, policy), at)
  if (!spent.allowed) throw tooManyAttempts(spent, spent.refusedBy.key)
}
