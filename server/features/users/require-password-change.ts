import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { markPasswordChange } from '#server/db/people/credentials.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeIn } from '#server/domain/identity/administration.ts'
import type { Reason } from '#server/domain/identity/factor-removal.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { warnPerson } from './warn-person.ts'

export type RequirePasswordChange = { userId: UserId; reason: Reason }

/**
 * Requires a user to change the password: from their next request on they can do nothing else. Idempotent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `account-state` for a user who
 *   is not active
 */
export async function requirePasswordChange(
  system: System,
  actor: Actor,
  { userId, reason }: RequirePasswordChange,
): Promise<void> {
  const at = system.clock.now()
  const { person, subject } = await findManaged(system, actor, userId, at)
  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    mustBeIn(user, 'active')
    if (user.passwordChangeSince !== null) return
    await markPasswordChange(trx, userId, at, person.userId)
    const news = { kind: 'password-change-asked', severity: 'warning' } as const
    await warnPerson(trx, person, user, news, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'password.change-asked',
      subject,
      details: { reason },
    })
  })
}
