import { beginAdministration } from '#server/db/people/administrators.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeIn } from '#server/domain/identity/administration.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { makeLink, type NewLink, recordLink } from './make-link.ts'

export type RenewInvitation = { userId: UserId }

/**
 * Makes a new link for a user who has not activated the account; the earlier link is revoked.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `account-state` for a user who
 *   is active or suspended
 */
export async function renewInvitation(
  system: System,
  actor: Actor,
  { userId }: RenewInvitation,
): Promise<NewLink> {
  const at = system.clock.now()
  const { person } = await findManaged(system, actor, userId, at)
  return await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    mustBeIn(user, 'invited')
    const link = await makeLink(system, trx, person, user, 'activation', at)
    await recordLink(trx, person, link, at)
    return link
  })
}
