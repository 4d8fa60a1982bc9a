import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeIn } from '#server/domain/identity/administration.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { stateAfter } from '#server/domain/yubikeys/yubikey.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'

export type HandOverYubikey = SeenYubikey & { holderId: UserId }

/**
 * Hands a key over to a person of the office.
 *
 * @returns the version that the handover made, by which its receipt is found
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for a person of another office; `account-state`
 *   for one whose account is not active; `yubikey-changed`, `yubikey-state`
 */
export async function handOverYubikey(
  system: System,
  actor: Actor,
  { holderId, ...seen }: HandOverYubikey,
): Promise<number> {
  const at = system.clock.now()
  const of = { own: 'yubikeys.manage', any: 'yubikeys.manage' } as const
  const { person } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const by = person.userId
  const made = { kind: 'handed-over', by, holderId, note: null } as const
  await system.db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const holder = await findUser(trx, holderId)
    if (holder?.officeId !== person.officeId) throw new Problem('not-found', `no user ${holderId}`)
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return
    mustBeIn(holder, 'active')
    const state = stateAfter(yubikey, 'handed-over')
    const version = yubikey.version + 1
    await commitChange(
      trx,
      { ...yubikey, state, stateSince: at, stateBy: by, holderId, version },
      { ...made, at },
    )
    await appendEvent(trx, {
      actor,
      at,
      action: 'yubikey.handed-over',
      subject: { kind: 'yubikey', id: yubikey.id },
      details: { name: nameOfKey(yubikey), holder: holderId, holderName: fullName(holder) },
    })
  })
  return seen.seenVersion + 1
}
