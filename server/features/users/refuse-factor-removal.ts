import { resolveAlertsOf } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceFactorRemovalState } from '#server/db/factors/factor-removals.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { FactorRemovalId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findRemovalRequest } from './find-removal-request.ts'

export type RefuseFactorRemoval = { userId: UserId; removalId: FactorRemovalId }

/**
 * Refuses the removal of a user's second factors. Any administrator may: the one who asked can withdraw the
 * request, and the user concerned may have lost nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `account-state` when the
 *   request was decided or has expired
 */
export async function refuseFactorRemoval(
  system: System,
  actor: Actor,
  input: RefuseFactorRemoval,
): Promise<void> {
  const at = system.clock.now()
  const { person, removal, subject } = await findRemovalRequest(system, actor, input, at)
  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const answer = { at, by: person.userId }
    if (!(await replaceFactorRemovalState(trx, removal.id, 'refused', answer)))
      throw new Problem('account-state', `removal ${removal.id} is over`)
    await resolveAlertsOf(trx, occasions.factorRemoval(removal.id), answer)
    await appendEvent(trx, {
      actor,
      at,
      action: 'factors.removal-refused',
      subject,
      details: { removal: removal.id, askedBy: removal.askedBy },
    })
  })
}
