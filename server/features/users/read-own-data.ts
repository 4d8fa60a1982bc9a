import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/**
 * The caller's sign-in address, and their CURP if known.
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
