import { z } from 'zod'
import { beginAdministration, listActiveAdministrators } from '#server/db/administrators.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import { findOffice } from '#server/db/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { replaceRoles, replaceUser } from '#server/db/users.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import {
  isActiveAdministrator,
  mustBeAnother,
  mustLeaveAdministrator,
} from '#server/domain/identity/administration.ts'
import type { User } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findAgain, findManaged } from './find-managed.ts'
import { mustBeFree } from './invite-user.ts'
import { keptData, UserData } from './user-data.ts'
import { warnOfAdministrator, warnPerson } from './warn-person.ts'

export const ChangeUser = z.strictObject({ userId: UserId, data: UserData })
export type ChangeUser = z.infer<typeof ChangeUser>

/**
 * Corrects what is written of somebody, and what they may do. It holds from their next request on. Nothing
 * happens, and nothing is told, when nothing is different.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`, `address-taken`;
 *   `second-person-needed` when one would no longer be administrator oneself, `last-administrator`
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
    const user = await findAgain(trx, userId)
    const next: User = { ...user, ...keptData(data, office.timeZone) }
    const changed = changedFields(user, next)
    if (changed.length === 0) return
    await mustKeepAdministrators(trx, person, user, next)
    await mustBeFree(trx, next.email, userId)
    await replaceUser(trx, next)
    if (changed.includes('roles')) await replaceRoles(trx, userId, next.roles, at, person.userId)
    if (next.roles.includes('ADMIN') && !user.roles.includes('ADMIN'))
      await warnOfAdministrator(trx, person, user, at)
    await warnPerson(
      trx,
      person,
      user,
      {
        kind: 'account-changed',
        severity:
          changed.includes('roles') || changed.includes('email') ? 'warning' : 'information',
        facts: { changed: changed.join() },
      },
      at,
    )
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.changed',
      subject,
      details: {
        changed: changed.join(),
        ...(changed.includes('roles') && {
          rolesBefore: user.roles.join(),
          roles: next.roles.join(),
        }),
      },
    })
  })
}

async function mustKeepAdministrators(trx: Transaction, person: Person, user: User, next: User) {
  if (!isActiveAdministrator(user) || isActiveAdministrator(next)) return
  mustLeaveAdministrator(await listActiveAdministrators(trx, user.officeId), user.id)
  mustBeAnother(person, user.id, 'demote')
}

const FIELDS = [
  'firstName',
  'lastName',
  'email',
  'rfc',
  'curp',
  'roles',
  'capacity',
  'capacityFrom',
  'capacityTo',
] as const

function changedFields(before: User, next: User): (typeof FIELDS)[number][] {
  const text = (user: User, field: (typeof FIELDS)[number]) =>
    field === 'roles' ? user.roles.toSorted().join() : user[field]
  return FIELDS.filter((field) => text(before, field) !== text(next, field))
}
