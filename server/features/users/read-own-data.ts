import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/**
 * What the account of whoever asks holds beside their name and roles: the address with which they sign in,
 * and their CURP where it is known.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function readOwnData(
  { db }: Pick<System, 'db'>,
  actor: Actor,
): Promise<Pick<User, 'email' | 'curp'>> {
  const { userId } = mustBeSignedIn(actor)
  const user = await findUser(db, userId)
  if (!user) throw new Problem('not-found', `no user ${userId}`)
  return { email: user.email, curp: user.curp }
}
