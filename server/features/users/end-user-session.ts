import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endSession, findSession } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { SessionId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findManaged } from './find-managed.ts'
import { warnPerson } from './warn-person.ts'

export type EndUserSession = { userId: UserId; sessionId: SessionId }

/**
 * Ends one session of a user; its next request is anonymous.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`; `not-found` also for another user's session
 */
export async function endUserSession(
  system: System,
  actor: Actor,
  { userId, sessionId }: EndUserSession,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, user } = await findManaged(system, actor, userId, at)
  const session = await findSession(db, sessionId)
  if (session?.userId !== userId)
    throw new Problem('not-found', `${userId} has no session ${sessionId}`)

  await db.transaction(async (trx) => {
    const reason = 'ended-by-administrator'
    if (!(await endSession(trx, sessionId, { at, by: person.userId, reason }))) return
    const facts = { sessions: 1, device: session.device, ip: session.ip }
    await warnPerson(trx, person, user, { kind: 'sessions-ended', severity: 'warning', facts }, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'session.ended',
      subject: { kind: 'session', id: sessionId },
      details: { reason, user: userId },
    })
  })
}
