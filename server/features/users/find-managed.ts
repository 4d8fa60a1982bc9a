import { findUser } from '#server/db/people/users.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The actor and the user they act on. */
export type Managed = { person: Person; user: User; subject: { kind: 'user'; id: UserId } }

/**
 * A user of the actor's office, if the actor may perform this action on that user.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for another office
 */
export async function findManaged(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  userId: UserId,
  at: Instant,
  action: Action = 'users.manage',
): Promise<Managed> {
  const user = await findUser(db, userId)
  if (!user) throw new Problem('not-found', `no user ${userId}`)
  const subject = { kind: 'user', id: user.id } as const
  const person = await authorizeOrRecord(db, actor, action, user, at, subject)
  return { person, user, subject }
}

/** Reads the user again inside a transaction: another administrator may have changed them. */
export async function findCurrentUser(
  trx: Parameters<typeof findUser>[0],
  id: UserId,
): Promise<User> {
  const user = await findUser(trx, id)
  if (!user) throw new Problem('not-found', `no user ${id}`)
  return user
}
