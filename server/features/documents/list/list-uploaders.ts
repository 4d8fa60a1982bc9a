import { listUserNames } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Whose documents can be asked for: all who are or were users of the office, by name.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listUploaders(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Pick<User, 'id' | 'firstName' | 'lastName' | 'email'>[]> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  return await listUserNames(db, officeId)
}
