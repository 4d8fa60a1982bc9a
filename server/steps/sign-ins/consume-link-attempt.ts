import type { Database } from '#server/db/database.ts'
import { LINKS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Instant } from '#server/domain/time.ts'
import { consumeNetworkAttempt } from './consume-network-attempt.ts'

/**
 * Counts an attempt to use a link of any kind, before it is looked up.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function consumeLinkAttempt(db: Database, ip: string, at: Instant): Promise<void> {
  const links = { keyOf: throttleKeys.link, ip, policy: LINKS_FROM_NETWORK }
  await consumeNetworkAttempt(db, links, at)
}
