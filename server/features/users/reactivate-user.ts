import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { replaceUserState } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { stateOnReturn } from '#server/domain/identity/administration.ts'
import type { Reason } from '#server/domain/identity/factor-removal.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { warnPerson } from './warn-person.ts'

export type ReactivateUser = { userId: UserId; reason: Reason }

/**
 * Ends a user's suspension; their password still works. A user who never had one is invited again and needs a
 * new link. Idempotent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`
 */
export async function reactivateUser(
  system: System,
  actor: Actor,
  { userId, reason }: ReactivateUser,
): Promise<void> {
  const at = system.clock.now()
  const { person, subject } = await findManaged(system, actor, userId, at)
  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    if (user.state !== 'suspended') return
    const to = stateOnReturn(user)
    // A session that began at the instant of the suspension was blocked but not ended: end it now.
    await endSignInsOf(trx, userId, at)
    await endSessionsOf(trx, userId, { at, by: person.userId, reason: 'suspended' })
    await replaceUserState(trx, userId, 'suspended', to, at, person.userId, reason)
    const facts = { changed: 'reactivated' }
    await warnPerson(trx, person, user, { kind: 'account-changed', severity: 'warning', facts }, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.reactivated',
      subject,
      details: { reason, to },
    })
  })
}
