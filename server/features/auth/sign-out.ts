import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endSession } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'

/** Ends the current session. Does nothing, and logs nothing, if it ended already. */
export async function signOut(system: Pick<System, 'db' | 'clock'>, actor: Actor): Promise<void> {
  if (actor.kind !== 'person') return
  const at = system.clock.now()
  const { sessionId, userId } = actor
  await system.db.transaction(async (trx) => {
    if (!(await endSession(trx, sessionId, { at, by: userId, reason: 'signed-out' }))) return
    await appendEvent(trx, {
      actor,
      at,
      action: 'session.ended',
      subject: { kind: 'session', id: sessionId },
      details: { reason: 'signed-out' },
    })
  })
}
