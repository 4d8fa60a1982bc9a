import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { listUsers as listUserRows } from '#server/db/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'

/**
 * The people of the own office, by last name.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listUsers(system: System, actor: Actor): Promise<User[]> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'users.read', own, clock.now())
  return await listUserRows(db, person.officeId)
}
