import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { readersOfAlertAbout } from '#server/domain/alerts/readers.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Instant } from '#server/domain/time.ts'
import type { EndOfCredentials } from '#server/domain/yubikeys/credentials-of-a-key.ts'
import { stateAfter, type Yubikey } from '#server/domain/yubikeys/yubikey.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { endCredentialsOf } from './end-credentials.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'

export type ReportYubikeyLost = SeenYubikey

/**
 * Reports a key lost: an administrator, or its holder. Its credentials end at once, in the same transaction.
 *
 * @returns what followed for the account of its holder
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `yubikey-changed`, `yubikey-state`
 */
export async function reportYubikeyLost(
  system: System,
  actor: Actor,
  seen: ReportYubikeyLost,
): Promise<EndOfCredentials> {
  const at = system.clock.now()
  const of = { own: 'yubikeys.manage-own', any: 'yubikeys.manage' } as const
  const { person, yubikey: known } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const by = person.userId
  const made = { kind: 'lost', by, holderId: known.holderId, note: null } as const
  return await system.db.transaction(async (trx): Promise<EndOfCredentials> => {
    if (known.holderId !== by) await beginAdministration(trx, person)
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return 'nothing'
    const state = stateAfter(yubikey, 'lost')
    const next = { ...yubikey, state, stateSince: at, stateBy: by, version: yubikey.version + 1 }
    await commitChange(trx, next, { ...made, at })
    const { end, credentials, sessions } = await endCredentialsOf(trx, person, yubikey, at)
    await warn(trx, person, next, end, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'yubikey.lost',
      subject: { kind: 'yubikey', id: yubikey.id },
      details: {
        ...{ name: nameOfKey(yubikey), serial: yubikey.serial, holder: yubikey.holderId },
        ...{ end, credentials, sessions },
      },
    })
    return end
  })
}

/** Warns the administrators, and the person who had it. */
async function warn(
  trx: Transaction,
  person: Person,
  yubikey: Yubikey,
  end: EndOfCredentials,
  at: Instant,
): Promise<void> {
  const { id, officeId, holderId, version } = yubikey
  const holder = holderId && (await findUser(trx, holderId))
  for (const reader of holder ? readersOfAlertAbout(holder) : (['office'] as const))
    await raiseAlert(trx, {
      officeId,
      userId: reader === 'owner' ? holderId : null,
      kind: 'yubikey-lost',
      severity: 'danger',
      ...(holder ? { subjectKind: 'user', subjectId: holder.id } : { subjectKind: 'nothing' }),
      facts: { by: fullName(person), key: nameOfKey(yubikey), yubikey: id, end },
      occasion: occasions.yubikeyLost(id, version, reader),
      at,
    })
}
