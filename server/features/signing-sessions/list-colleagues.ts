import { listUsers } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * The users of the office who can be asked to sign, by name.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listColleagues(
  { db, clock }: System,
  actor: Actor,
): Promise<Pick<User, 'id' | 'firstName' | 'lastName' | 'email' | 'roles'>[]> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.manage', own, clock.now())
  const users = await listUsers(db, person.officeId)
  const active = users.filter(({ state }) => state === 'active')
  return active.map(({ id, firstName, lastName, email, roles }) => ({
    id,
    firstName,
    lastName,
    email,
    roles,
  }))
}
