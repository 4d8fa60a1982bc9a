import type { Actor } from '#server/domain/identity/actor.ts'
import {
  PUBLIC_PAGES_FROM_NETWORK,
  VERIFICATIONS_FROM_NETWORK,
} from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import type { System } from '#server/system.ts'

/**
 * Counts a public request by network before any work is done for it.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function consumePublicAttempt(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  { ip }: Actor,
  what: 'code' | 'file' | 'page',
): Promise<void> {
  const policy = what === 'page' ? PUBLIC_PAGES_FROM_NETWORK : VERIFICATIONS_FROM_NETWORK
  const keyOf = throttleKeys.publicVerification(what)
  await consumeNetworkAttempt(db, { keyOf, ip, policy }, clock.now())
}
