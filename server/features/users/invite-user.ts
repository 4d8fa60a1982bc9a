import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { insertUser, listUsers } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { MOST_USERS, type User } from '#server/domain/identity/user.ts'
import { type UserId, UserId as UserIdSchema } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { makeLink, type NewLink, recordLink } from './make-link.ts'
import { keptData, UserData } from './user-data.ts'
import { warnOfAdministrator } from './warn-person.ts'

export const InviteUser = UserData
export type InviteUser = UserData

/**
 * Creates an account in the actor's office. Its user signs in by the link, once, and chooses a password that no
 * one else knows.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `address-taken`, `too-many-users`
 */
export async function inviteUser(
  system: System,
  actor: Actor,
  input: InviteUser,
): Promise<{ user: User; link: NewLink }> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'users.manage', own, at)
  const office = await findOffice(db, person.officeId)
  if (!office) throw new Problem('not-found', `no office ${person.officeId}`)

  const user: User = {
    id: UserIdSchema.parse(randomUUID()),
    officeId: office.id,
    ...keptData(input, office.timeZone),
    state: 'invited',
    stateSince: at,
    stateBy: person.userId,
    stateReason: null,
    passwordChangedAt: null,
    passwordChangeSince: null,
    passwordChangeBy: null,
    createdAt: at,
  }
  return await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    if ((await listUsers(trx, office.id)).length >= MOST_USERS)
      throw new Problem('too-many-users', `${office.id} has ${MOST_USERS} users`)
    await mustBeFree(trx, user.email, user.id)
    await insertUser(trx, user, null)
    const link = await makeLink(system, trx, person, user, 'activation', at)
    if (user.roles.includes('ADMIN')) await warnOfAdministrator(trx, person, user, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.created',
      subject: { kind: 'user', id: user.id },
      details: { roles: user.roles.join() },
    })
    await recordLink(trx, person, link, at)
    return { user, link }
  })
}

/** @throws {Problem} `address-taken` when another user of any office signs in with this address */
export async function mustBeFree(trx: Transaction, email: Email, userId: UserId): Promise<void> {
  await lockUntilCommit(trx, `email:${email}`)
  const found = await findCredentials(trx, email)
  if (found && found.user.id !== userId)
    throw new Problem('address-taken', `${found.user.id} comes in with this address`)
}
