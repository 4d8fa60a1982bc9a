import { findFactorRemoval } from '#server/db/factors/factor-removals.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { FactorRemoval } from '#server/domain/identity/factor-removal.ts'
import type { FactorRemovalId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findManaged, type Managed } from './find-managed.ts'

/**
 * A removal request about a user of the office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`
 */
export async function findRemovalRequest(
  system: Pick<System, 'db'>,
  actor: Actor,
  { userId, removalId }: { userId: UserId; removalId: FactorRemovalId },
  at: Instant,
): Promise<Managed & { removal: FactorRemoval }> {
  const managed = await findManaged(system, actor, userId, at)
  const removal = await findFactorRemoval(system.db, removalId)
  if (removal?.userId !== userId)
    throw new Problem('not-found', `nothing of the name ${removalId} was asked about ${userId}`)
  return { ...managed, removal }
}
