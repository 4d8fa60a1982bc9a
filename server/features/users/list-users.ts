import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { listUsers as listUserRows } from '#server/db/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'

/** Somebody of the office, as every colleague may know them. */
export type Colleague = Pick<User, 'id' | 'firstName' | 'lastName' | 'roles'>

export type Users =
  | { reach: 'whole'; users: User[] }
  /** Only who works in the office now. */
  | { reach: 'names'; users: Colleague[] }

/**
 * The people of the own office, by last name, as far as the roles reach.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function listUsers(system: System, actor: Actor): Promise<Users> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'users.read-names', own, clock.now())
  const users = await listUserRows(db, person.officeId)
  if (isAllowed(person.roles, 'users.read')) return { reach: 'whole', users }
  return { reach: 'names', users: users.filter(({ state }) => state === 'active').map(toColleague) }
}

function toColleague({ id, firstName, lastName, roles }: User): Colleague {
  return { id, firstName, lastName, roles }
}
