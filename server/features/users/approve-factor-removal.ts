import { resolveAlertsOf } from '#server/db/alerts/alerts.ts'
import { replaceFactorRemovalState } from '#server/db/factors/factor-removals.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustNotBeSelf } from '#server/domain/identity/administration.ts'
import type { FactorRemovalId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findRemovalRequest } from './find-removal-request.ts'
import { removeFactors } from './remove-factors.ts'

export type ApproveFactorRemoval = { userId: UserId; removalId: FactorRemovalId }

/**
 * Approves the removal of a user's second factors: all are removed and all sessions end.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `second-person-needed` for the
 *   administrator who asked and for the user concerned; `account-state` when the request was decided or has
 *   expired
 */
export async function approveFactorRemoval(
  system: System,
  actor: Actor,
  input: ApproveFactorRemoval,
): Promise<void> {
  const at = system.clock.now()
  const { person, removal } = await findRemovalRequest(system, actor, input, at)
  mustNotBeSelf(person, removal.askedBy, 'approve what was asked by')
  mustNotBeSelf(person, removal.userId, 'approve what concerns')

  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const answer = { at, by: person.userId }
    if (!(await replaceFactorRemovalState(trx, removal.id, 'approved', answer)))
      throw new Problem('account-state', `removal ${removal.id} is over`)
    await resolveAlertsOf(trx, occasions.factorRemoval(removal.id), answer)
    await removeFactors(trx, person, removal, 'second-person', at)
  })
}
