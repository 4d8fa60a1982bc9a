import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceWebauthnCredentialName } from '#server/db/factors/webauthn-credentials.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { WebauthnCredentialName } from '#server/domain/identity/webauthn-credential.ts'
import { WebauthnCredentialId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findOwnKey } from './find-own-key.ts'

export const RenameWebauthnCredential = z.object({
  credentialId: WebauthnCredentialId,
  name: WebauthnCredentialName,
})
export type RenameWebauthnCredential = z.infer<typeof RenameWebauthnCredential>

/**
 * Renames one of the caller's keys.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, or `not-found` for another person's key
 */
export async function renameWebauthnCredential(
  system: System,
  actor: Actor,
  { credentialId, name }: RenameWebauthnCredential,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, at)
  const key = await findOwnKey(system, person, credentialId)
  if (key.name === name) return

  await db.transaction(async (trx) => {
    if (!(await replaceWebauthnCredentialName(trx, key.id, name)))
      throw new Problem('not-found', `key ${key.id} was removed meanwhile`)
    await appendEvent(trx, {
      actor,
      at,
      action: 'webauthn.renamed',
      subject: { kind: 'second-factor', id: key.id },
      details: { before: key.name, name },
    })
  })
}
