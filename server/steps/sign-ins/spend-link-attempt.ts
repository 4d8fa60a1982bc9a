import type { Database } from '#server/db/database.ts'
import { spendAttempt } from '#server/db/sign-ins/attempts.ts'
import { networkOf } from '#server/domain/identity/network.ts'
import { LINKS_FROM_NETWORK } from '#server/domain/identity/throttle.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Counts an attempt to come in by a link of whatever kind, before anything is looked up.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function spendLinkAttempt(db: Database, ip: string, at: Instant): Promise<void> {
  const key = `link:${networkOf(ip)}`
  const spent = await db.transaction((trx) => spendAttempt(trx, key, at, LINKS_FROM_NETWORK))
  if (!spent.allowed)
    throw new Problem('too-many-attempts', `no more of ${key}`, { retryAfter: spent.retryAfter })
}
