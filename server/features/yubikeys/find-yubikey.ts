import { findYubikey } from '#server/db/yubikeys/yubikeys.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { YubikeyId } from '#server/domain/ids.ts'
import { type Action, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * A key of the actor's office, if the actor may do this with it.
 *
 * @param of what it takes for a key that the actor holds, and for any other
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for another office
 */
export async function findYubikeyFor(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  id: YubikeyId,
  of: { own: Action; any: Action },
  at: Instant,
): Promise<{ person: Person; yubikey: Yubikey }> {
  const { userId } = mustBeSignedIn(actor)
  const yubikey = await findYubikey(db, id)
  if (!yubikey) throw new Problem('not-found', `no YubiKey ${id}`)
  const action = yubikey.holderId === userId ? of.own : of.any
  const subject = { kind: 'yubikey', id } as const
  return { person: await authorizeOrRecord(db, actor, action, yubikey, at, subject), yubikey }
}
