import { z } from 'zod'
import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endActivationsBy, endActivationsOf } from '#server/db/people/activations.ts'
import { beginAdministration, listActiveAdministrators } from '#server/db/people/administrators.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { replaceRoles, replaceUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import {
  isActiveAdministrator,
  mustLeaveAdministrator,
  mustNotBeSelf,
} from '#server/domain/identity/administration.ts'
import type { User } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findCurrentUser, findManaged } from './find-managed.ts'
import { mustBeFree } from './invite-user.ts'
import { keptData, UserData } from './user-data.ts'
import { warnOfAdministrator, warnPerson } from './warn-person.ts'

export const ChangeUser = z.strictObject({ userId: UserId, data: UserData })
export type ChangeUser = z.infer<typeof ChangeUser>

/**
 * Changes a user's data and roles, effective from their next request. A user who stops being administrator
 * loses the links that they made for others. Does nothing, and logs nothing, if nothing differs.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`, `address-taken`;
 *   `second-person-needed` for giving up one's own administrator role, `last-administrator`
 */
export async function changeUser(
  system: System,
  actor: Actor,
  { userId, data }: ChangeUser,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, user: known, subject } = await findManaged(system, actor, userId, at)
  const office = await findOffice(db, known.officeId)
  if (!office) throw new Problem('not-found', `no office ${known.officeId}`)

  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const user = await findCurrentUser(trx, userId)
    const next: User = { ...user, ...keptData(data, office.timeZone) }
    const changed = changedFields(user, next)
    if (changed.length === 0) return
    await mustKeepAdministrators(trx, person, user, next)
    await mustBeFree(trx, next.email, userId)
    // Before the change, so that the mail about a new address goes to the old one.
    await warnPerson(trx, person, user, warningFor(changed), at)
    await replaceUser(trx, next)
    if (changed.includes('capacityTo'))
      await resolveAlertsAbout(trx, matters.capacityEnding(userId), { at, by: person.userId })
    // Links sent to the old address are revoked.
    if (changed.includes('email')) await endActivationsOf(trx, userId, at)
    const roles = changed.includes('roles')
      ? await giveRoles(trx, person, user, next, at)
      : undefined
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.changed',
      subject,
      details: { changed: changed.join(), ...roles },
    })
  })
}

/**
 * Returns the role changes for the log. A former administrator knows the codes of the links that they made, so
 * those links are revoked.
 */
async function giveRoles(trx: Transaction, person: Person, user: User, next: User, at: Instant) {
  await replaceRoles(trx, user.id, next.roles, at, person.userId)
  const isAdministrator = next.roles.includes('ADMIN')
  const links = isAdministrator ? 0 : await endActivationsBy(trx, user.id, at)
  if (isAdministrator && !user.roles.includes('ADMIN'))
    await warnOfAdministrator(trx, person, user, at)
  return { rolesBefore: user.roles.join(), roles: next.roles.join(), ...(links && { links }) }
}

function warningFor(changed: readonly string[]) {
  const isGrave = changed.includes('roles') || changed.includes('email')
  return {
    kind: 'account-changed',
    severity: isGrave ? 'warning' : 'information',
    facts: { changed: changed.join() },
  } as const
}

async function mustKeepAdministrators(trx: Transaction, person: Person, user: User, next: User) {
  if (!isActiveAdministrator(user) || isActiveAdministrator(next)) return
  mustLeaveAdministrator(await listActiveAdministrators(trx, user.officeId), user.id)
  mustNotBeSelf(person, user.id, 'demote')
}

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'rfc',
  'curp',
  'roles',
  'capacity',
  'capacityOf',
  'capacityFrom',
  'capacityTo',
] as const

function changedFields(before: User, next: User): (typeof FIELDS)[number][] {
  const text = (user: User, field: (typeof FIELDS)[number]) =>
    field === 'roles' ? user.roles.toSorted().join() : user[field]
  return FIELDS.filter((field) => text(before, field) !== text(next, field))
}
