import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { endSigningSession } from '#server/steps/signing/end-signing-session.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

export type CancelSigningSession = {
  signingSessionId: SigningSessionId
  reason: Reason
}

/**
 * Cancels a session. Documents without signatures can be changed and signed again.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-state`
 */
export async function cancelSigningSession(
  system: System,
  actor: Actor,
  { signingSessionId: id, reason }: CancelSigningSession,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findManagedSession(system, actor, id, at)
  await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    await endSigningSession(trx, ceremony, {
      state: 'cancelled',
      reason,
      by: person.userId,
      at,
      byName: fullName(person),
    })
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.cancelled',
      subject,
      details: { reason },
    })
  })
}
