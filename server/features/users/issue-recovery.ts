import { beginAdministration } from '#server/db/people/administrators.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeIn, mustNotBeSelf } from '#server/domain/identity/administration.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { makeLink, type NewLink, recordLink } from './make-link.ts'
import { warnPerson } from './warn-person.ts'

export type IssueRecovery = { userId: UserId }

/**
 * Makes a recovery link for a user who forgot the password. Nothing changes until it is used; second factors
 * stay and are still required.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `second-person-needed` for
 *   oneself, `account-state` for a user who is not active
 */
export async function issueRecovery(
  system: System,
  actor: Actor,
  { userId }: IssueRecovery,
): Promise<NewLink> {
  const at = system.clock.now()
  const { person } = await findManaged(system, actor, userId, at)
  mustNotBeSelf(person, userId, 'recover the password of')
  return await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    mustBeIn(user, 'active')
    const link = await makeLink(system, trx, person, user, 'recovery', at)
    await warnPerson(trx, person, user, { kind: 'recovery-issued', severity: 'warning' }, at)
    await recordLink(trx, person, link, at)
    return link
  })
}
