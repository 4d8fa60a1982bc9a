import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import {
  linkYubikeyCredential,
  unlinkYubikeyCredential,
} from '#server/db/yubikeys/yubikey-credentials.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { WebauthnCredentialId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { beginChange, commitChange, type SeenYubikey } from './change-yubikey.ts'
import { findYubikeyFor } from './find-yubikey.ts'
import { nameOfKey } from './name-of-key.ts'

export type LinkCredential = SeenYubikey & {
  credentialId: WebauthnCredentialId
  /** `unlink`: the credential goes on opening the account, but no longer ends with the key. */
  change: 'link' | 'unlink'
}

/**
 * Notes that a key holds one of its holder's credentials, or that it does not: an administrator, or the holder.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for a credential of another person;
 *   `yubikey-changed`; `yubikey-state` unless someone has the key; `credential-linked`
 */
export async function linkCredential(
  system: System,
  actor: Actor,
  { credentialId, change, ...seen }: LinkCredential,
): Promise<void> {
  const at = system.clock.now()
  const of = { own: 'yubikeys.manage-own', any: 'yubikeys.manage' } as const
  const { person, yubikey: known } = await findYubikeyFor(system, actor, seen.yubikeyId, of, at)
  const by = person.userId
  const credential = await findWebauthnCredential(system.db, credentialId)
  if (!credential || credential.userId !== known.holderId || credential.state === 'removed')
    throw new Problem('not-found', `the holder has no credential ${credentialId}`)
  const kind = change === 'link' ? 'credential-linked' : 'credential-unlinked'
  const made = { kind, by, holderId: known.holderId, note: credential.name } as const
  await system.db.transaction(async (trx) => {
    const yubikey = await beginChange(trx, seen, made)
    if (!yubikey) return
    if (yubikey.state !== 'assigned')
      throw new Problem('yubikey-state', `${yubikey.id} is ${yubikey.state}: nobody has it`)
    // In turn with what ends the credentials of its holder.
    await lockUntilCommit(trx, `factors:${credential.userId}`)
    if (change === 'link') {
      if (!(await linkYubikeyCredential(trx, yubikey.id, credentialId, { at, by })))
        throw new Problem('credential-linked', `${credentialId} is linked already`)
    } else if (!(await unlinkYubikeyCredential(trx, yubikey.id, credentialId)))
      throw new Problem('not-found', `${yubikey.id} does not hold ${credentialId}`)
    await commitChange(trx, { ...yubikey, version: yubikey.version + 1 }, { ...made, at })
    await appendEvent(trx, {
      actor,
      at,
      action: `yubikey.${kind}`,
      subject: { kind: 'yubikey', id: yubikey.id },
      details: { name: nameOfKey(yubikey), credential: credentialId, key: credential.name },
    })
  })
}
