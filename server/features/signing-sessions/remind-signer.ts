import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceSigner } from '#server/db/signing-sessions/signers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SignerId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { signersInTurn } from '#server/domain/signing/session/ceremony.ts'
import { wasJustReminded } from '#server/domain/signing/session/reminders.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { notifySigners } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

export type RemindSigner = { signingSessionId: SigningSessionId; signerId: SignerId }

/**
 * Sends a reminder to a signer whose turn it is.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-state` when it is not their turn;
 *   `reminded-already`; `no-address` without an email address
 */
export async function remindSigner(
  system: System,
  actor: Actor,
  { signingSessionId: id, signerId }: RemindSigner,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { subject } = await findManagedSession(system, actor, id, at)
  await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const signer = signersInTurn(ceremony).find((one) => one.id === signerId)
    if (!signer) throw new Problem('session-state', `${signerId} is not waited for`)
    if (wasJustReminded(signer, at))
      throw new Problem('reminded-already', `${signerId} at ${signer.remindedAt}`)
    if ((await notifySigners(trx, system, ceremony, [signer], 'signing-reminder', at)) === 0)
      throw new Problem('no-address', `${signerId} has no address`)
    await replaceSigner(trx, signer, { ...signer, remindedAt: at })
    await appendEvent(trx, {
      actor,
      at,
      action: 'signer.reminded',
      subject,
      details: { signer: signerId, name: signer.name },
    })
  })
}
