import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
import { endActivationsBy, endActivationsOf } from '#server/db/people/activations.ts'
import { beginAdministration, listActiveAdministrators } from '#server/db/people/administrators.ts'
import { replaceUserState } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  isActiveAdministrator,
  mustLeaveAdministrator,
  mustNotBeSelf,
} from '#server/domain/identity/administration.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'

export const SuspendUser = z.strictObject({ userId: UserId, reason: Reason })
export type SuspendUser = z.infer<typeof SuspendUser>

/**
 * Suspends a user: ends their sessions, pending sign-ins and links at once, and revokes the links that they
 * made for others, whose codes they know. Their past work stays. Idempotent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `second-person-needed` for
 *   oneself, `last-administrator`
 */
export async function suspendUser(
  system: System,
  actor: Actor,
  { userId, reason }: SuspendUser,
): Promise<void> {
  const at = system.clock.now()
  const { person, subject } = await findManaged(system, actor, userId, at)
  mustNotBeSelf(person, userId, 'suspend')

  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    if (user.state === 'suspended') return
    if (isActiveAdministrator(user))
      mustLeaveAdministrator(await listActiveAdministrators(trx, user.officeId), userId)
    const by = person.userId
    await replaceUserState(trx, userId, user.state, 'suspended', at, by, reason)
    await endActivationsOf(trx, userId, at)
    const links = await endActivationsBy(trx, userId, at)
    await endSignInsOf(trx, userId, at)
    const tokens = await endAccessTokensOf(trx, userId, at)
    const sessions = await endSessionsOf(trx, userId, { at, by, reason: 'suspended' })
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.suspended',
      subject,
      details: {
        reason,
        from: user.state,
        sessions,
        ...(links && { links }),
        ...(tokens && { tokens }),
      },
    })
  })
}
