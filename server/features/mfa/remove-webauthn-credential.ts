import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceWebauthnCredentialState } from '#server/db/factors/webauthn-credentials.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import { isUsable } from '#server/domain/identity/webauthn-credential.ts'
import type { WebauthnCredentialId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { warnOfChange } from './factor-changes.ts'
import { findOwnKey } from './find-own-key.ts'
import { mustLeaveEnough } from './leave-enough.ts'

export type RemoveWebauthnCredential = { credentialId: WebauthnCredentialId }

/**
 * Removes one of the caller's keys for good. The last second factor takes the backup codes with it.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `not-found` for another person's key, or `last-factor`
 *   where the office requires one
 */
export async function removeWebauthnCredential(
  system: System,
  actor: Actor,
  { credentialId }: RemoveWebauthnCredential,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, at)
  const key = await findOwnKey(system, person, credentialId)

  await db.transaction(async (trx) => {
    // Serialized: if two last factors are removed at once, one stays.
    await lockUntilCommit(trx, `factors:${person.userId}`)
    const state = { at, by: person.userId }
    const from = ['active', 'suspect'] as const
    if (!(await replaceWebauthnCredentialState(trx, key.id, from, 'removed', state)))
      throw new Problem('not-found', `key ${key.id} was removed meanwhile`)
    const removed = isUsable(key) ? 'usable' : 'suspect'
    const codes = await mustLeaveEnough(trx, person, removed, at)
    await warnOfChange(trx, person, 'key-removed', key.id, at, key.name)
    await appendEvent(trx, {
      actor,
      at,
      action: 'webauthn.removed',
      subject: { kind: 'second-factor', id: key.id },
      details: { name: key.name, model: modelOf(key.aaguid), backupCodesEnded: codes },
    })
  })
}
