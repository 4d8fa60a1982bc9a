import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Reason } from '#server/domain/identity/factor-removal.ts'
import type { EndOfCredentials } from '#server/domain/yubikeys/credentials-of-a-key.ts'
import { stateAfter } from '#server/domain/yubikeys/yubikey.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { endCredentialsOf } from './end-credentials.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'

export type RetireYubikey = SeenYubikey & { reason: Reason }

/**
 * Retires a key for good: it stays in the inventory, and is handed over no more. Its credentials end.
 *
 * @returns what followed for the account of its holder
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `yubikey-changed`, `yubikey-state`
 */
export async function retireYubikey(
  system: System,
  actor: Actor,
  { reason, ...seen }: RetireYubikey,
): Promise<EndOfCredentials> {
  const at = system.clock.now()
  const of = { own: 'yubikeys.manage', any: 'yubikeys.manage' } as const
  const { person, yubikey: known } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const by = person.userId
  const made = { kind: 'retired', by, holderId: known.holderId, note: reason } as const
  return await system.db.transaction(async (trx): Promise<EndOfCredentials> => {
    await beginAdministration(trx, person)
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return 'nothing'
    const state = stateAfter(yubikey, 'retired')
    const version = yubikey.version + 1
    await commitChange(
      trx,
      {
        ...yubikey,
        state,
        stateSince: at,
        stateBy: by,
        holderId: null,
        certificateId: null,
        version,
      },
      { ...made, at },
    )
    const { end, credentials, sessions } = await endCredentialsOf(trx, person, yubikey, at)
    await resolveAlertsAbout(trx, matters.yubikeyLost(yubikey.id), { at, by })
    await appendEvent(trx, {
      actor,
      at,
      action: 'yubikey.retired',
      subject: { kind: 'yubikey', id: yubikey.id },
      details: {
        ...{ name: nameOfKey(yubikey), reason, holder: yubikey.holderId },
        ...{ end, credentials, sessions },
      },
    })
    return end
  })
}
