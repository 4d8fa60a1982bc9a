import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import type { TrustAnchor } from '#server/domain/certificates/trust-anchor.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'

/**
 * The authorities whose word counts in every verdict of this installation.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listTrustAnchors(
  system: System,
  actor: Actor,
): Promise<readonly TrustAnchor[]> {
  const { db, clock, trust } = system
  const now = clock.now()
  await authorizeOrRecord(db, actor, 'office.read', mustBeSignedIn(actor), now)
  return (await trust.policy(now)).anchors
}
