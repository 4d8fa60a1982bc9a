import { z } from 'zod'
import { appendEvents } from '#server/db/audit/audit-events.ts'
import {
  listLinkedAccounts,
  lockLinkedAccounts,
  unlinkAccount as remove,
} from '#server/db/people/linked-accounts.ts'
import { findUser } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { originOf } from './linked-account-events.ts'

export const UnlinkAccount = z.object({ userId: UserId })
export type UnlinkAccount = z.infer<typeof UnlinkAccount>

/**
 * Takes one of the caller's other accounts from them, and ends its sessions: a switch may have begun them. Needs no
 * step-up: a user who suspects something must not be delayed.
 *
 * @throws {Problem} `not-signed-in`, `not-found` for an account that is not linked
 */
export async function unlinkAccount(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { userId }: UnlinkAccount,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'accounts.read-own', own, at)
  await db.transaction(async (trx) => {
    await lockLinkedAccounts(trx)
    const linked = await listLinkedAccounts(trx, person.userId)
    const other = linked.includes(userId) ? await findUser(trx, userId) : undefined
    if (!other) throw new Problem('not-found', `${userId} is not linked with ${person.userId}`)
    await endSignInsOf(trx, userId, at)
    await endSessionsOf(trx, userId, { at, by: userId, reason: 'ended-by-user' })
    await remove(trx, userId)
    const action = 'account.unlinked'
    await appendEvents(trx, [
      {
        ...{ actor: person, at, action, officeId: person.officeId },
        subject: { kind: 'user', id: person.userId },
      },
      {
        ...{ actor: originOf(person), at, action, officeId: other.officeId },
        subject: { kind: 'user', id: userId },
      },
    ])
  })
}
