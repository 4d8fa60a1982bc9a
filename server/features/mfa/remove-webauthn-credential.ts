import { z } from 'zod'
import { insertAlert } from '#server/db/alerts.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import { authorizeOrRecord } from '#server/db/authorize-or-record.ts'
import { endBackupCodesOf } from '#server/db/backup-codes.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { findOffice } from '#server/db/offices.ts'
import { listHeldFactors } from '#server/db/second-factors.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { replaceWebauthnCredentialState } from '#server/db/webauthn-credentials.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { modelOf } from '#server/domain/identity/authenticator-models.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { WebauthnCredentialId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findOwnKey } from './find-own-key.ts'

export const RemoveWebauthnCredential = z.object({ credentialId: WebauthnCredentialId })
export type RemoveWebauthnCredential = z.infer<typeof RemoveWebauthnCredential>

/**
 * Takes one of the own keys away, for good: its next use is refused. With the last second factor the backup
 * codes go, too.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `not-found` for a key of anybody else, or
 *   `last-factor` where the office demands one
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
    // Of two last factors that are removed at once, one stays.
    await lockUntilCommit(trx, `factors:${person.userId}`)
    const state = { at, by: person.userId }
    const from = ['active', 'suspect'] as const
    if (!(await replaceWebauthnCredentialState(trx, key.id, from, 'removed', state)))
      throw new Problem('not-found', `key ${key.id} was removed meanwhile`)
    const codes = await mustLeaveEnough(trx, person, at)
    await warnOwner(trx, person, key, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'webauthn.removed',
      subject: { kind: 'second-factor', id: key.id },
      details: { name: key.name, model: modelOf(key.aaguid), backupCodesEnded: codes },
    })
  })
}

/** How many backup codes went because nothing is left that they could stand in for. */
async function mustLeaveEnough(trx: Transaction, { userId, officeId }: Person, at: Instant) {
  const { hasSecondFactor } = await listHeldFactors(trx, userId)
  if (hasSecondFactor) return 0
  const office = await findOffice(trx, officeId)
  if (office?.secondFactorGrace !== null)
    throw new Problem('last-factor', `${userId} would be left without a second factor`)
  return await endBackupCodesOf(trx, userId, at)
}

async function warnOwner(
  trx: Transaction,
  { officeId, userId, device, ip }: Person,
  key: WebauthnCredential,
  at: Instant,
) {
  await insertAlert(trx, {
    officeId,
    userId,
    kind: 'factors-changed',
    severity: 'warning',
    subjectKind: 'second-factor',
    subjectId: key.id,
    facts: { change: 'key-removed', name: key.name, device, ip },
    occasion: `factors-changed:${key.id}:removed`,
    at,
  })
}
