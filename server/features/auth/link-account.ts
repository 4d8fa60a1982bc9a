import { appendEvents } from '#server/db/audit/audit-events.ts'
import { linkAccounts, lockLinkedAccounts } from '#server/db/people/linked-accounts.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { originOf } from './linked-account-events.ts'
import { AccountPassword, noteRefusedPassword, provePassword } from './prove-password.ts'

export const LinkAccount = AccountPassword
export type LinkAccount = AccountPassword

export type LinkAccountOutcome =
  | { kind: 'linked'; userId: UserId }
  /** Unknown address, wrong password, suspended or not activated: the response does not say which. */
  | { kind: 'refused' }
  /** The account is the caller's own, or has another RFC. */
  | { kind: 'other-person' }
  /** More than the accounts of one person. */
  | { kind: 'too-many' }

/**
 * Links the caller's account with one of the same person in another office, whose password they know. From then on they
 * switch from either to the other. Neither office learns of the other.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `too-many-attempts` with how long to wait
 */
export async function linkAccount(
  system: System,
  actor: Actor,
  input: LinkAccount,
): Promise<LinkAccountOutcome> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'accounts.link-own', own, clock.now())
  // The other office must not read who asked.
  const anonymous = originOf(person)
  const proven = await provePassword(system, anonymous, input)
  if (!proven) return { kind: 'refused' }
  const at = clock.now()

  const outcome = await db.transaction(async (trx) => {
    const confirmed = await proven.confirm(trx)
    if (!('user' in confirmed)) return { kind: 'unusable', ...confirmed } as const
    const { user } = confirmed
    const self = await findUser(trx, person.userId)
    const isSamePerson = self?.rfc === user.rfc && self.officeId !== user.officeId
    if (!isSamePerson) return { kind: 'other-person' } as const
    // After the lock of the account's row, as where a recovery ends its links.
    await lockLinkedAccounts(trx)
    const isLinked = await linkAccounts(trx, person.userId, user.id, at)
    if (!isLinked) return { kind: 'too-many' } as const
    const linked = (id: UserId) =>
      ({ at, action: 'account.linked', subject: { kind: 'user', id } }) as const
    await appendEvents(trx, [
      { ...linked(person.userId), actor: person, officeId: person.officeId },
      { ...linked(user.id), actor: anonymous, officeId: user.officeId },
    ])
    return { kind: 'linked', userId: user.id } as const
  })
  if (outcome.kind !== 'unusable') return outcome
  const { reason } = outcome
  await noteRefusedPassword(system, anonymous, { email: input.email, user: proven.user, reason })
  return { kind: 'refused' }
}
