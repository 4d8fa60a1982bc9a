import type { Database } from '#server/db/database.ts'
import { LINKS_FROM_NETWORK } from '#server/domain/identity/throttle.ts'
import { throttleKeys } from '#server/domain/identity/throttle-keys.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { consumeAttempt } from './consume-attempt.ts'

/**
 * Counts an attempt to use a link of any kind, before it is looked up.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function consumeLinkAttempt(db: Database, ip: string, at: Instant): Promise<void> {
  const key = throttleKeys.link(ip)
  const spent = await db.transaction((trx) => consumeAttempt(trx, key, at, LINKS_FROM_NETWORK))
  if (!spent.allowed)
    throw new Problem('too-many-attempts', `no more of ${key}`, { retryAfter: spent.retryAfter })
}
