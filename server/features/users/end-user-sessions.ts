import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findManaged } from './find-managed.ts'
import { warnPerson } from './warn-person.ts'

export type EndUserSessions = { userId: UserId }

/**
 * Ends all sessions of a user, except the caller's current one; returns their number.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`
 */
export async function endUserSessions(
  system: System,
  actor: Actor,
  { userId }: EndUserSessions,
): Promise<number> {
  const at = system.clock.now()
  const { person, user, subject } = await findManaged(system, actor, userId, at)
  return await system.db.transaction(async (trx) => {
    const reason = 'ended-by-administrator'
    const end = { at, by: person.userId, reason, except: person.sessionId } as const
    const sessions = await endSessionsOf(trx, userId, end)
    if (sessions === 0) return 0
    const facts = { sessions }
    await warnPerson(trx, person, user, { kind: 'sessions-ended', severity: 'warning', facts }, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'session.ended',
      subject,
      details: { reason, sessions },
    })
    return sessions
  })
}
