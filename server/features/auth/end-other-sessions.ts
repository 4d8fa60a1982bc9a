import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * Ends all sessions of the caller except the current one; returns their number.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function endOtherSessions(system: System, actor: Actor): Promise<number> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { userId, sessionId } = await authorizeOrRecord(db, actor, 'sessions.end-own', own, at)
  return await db.transaction(async (trx) => {
    const reason = 'ended-by-user'
    const ended = await endSessionsOf(trx, userId, { at, by: userId, reason, except: sessionId })
    if (ended > 0)
      await appendEvent(trx, {
        actor,
        at,
        action: 'session.ended',
        subject: { kind: 'user', id: userId },
        details: { reason, sessions: ended },
      })
    return ended
  })
}
