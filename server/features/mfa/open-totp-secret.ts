import { insertAlert } from '#server/db/alerts.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { placeOfTotpSecret, type TotpFactor } from '#server/domain/identity/totp-factor.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'

/**
 * The secret of an authenticator app. One that does not open was changed or moved by somebody who can write
 * the database, or its key is lost: the log and the administrators hear of it.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function openTotpSecret(
  system: System,
  actor: Actor,
  officeId: OfficeId,
  factor: TotpFactor,
): Promise<Uint8Array> {
  try {
    return system.vault.open(factor.sealed, placeOfTotpSecret(factor))
  } catch (error) {
    if (error instanceof Problem) await tell(system, actor, officeId, factor)
    throw error
  }
}

async function tell({ db, clock }: System, actor: Actor, officeId: OfficeId, factor: TotpFactor) {
  const at = clock.now()
  await db.transaction(async (trx) => {
    await insertAlert(trx, {
      officeId,
      userId: null,
      kind: 'secret-unreadable',
      severity: 'danger',
      subjectKind: 'user',
      subjectId: factor.userId,
      facts: { keyVersion: factor.sealed.keyVersion },
      // Once for a row as it is: whoever tries again does not raise it again.
      occasion: `secret-unreadable:${factor.id}`,
      at,
    })
    await appendEvent(trx, {
      actor,
      at,
      officeId,
      action: 'secret.unreadable',
      subject: { kind: 'second-factor', id: factor.id },
      result: 'refused',
      details: { keyVersion: factor.sealed.keyVersion },
    })
  })
}
