import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { endSession as endSessionRow, findSession } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const EndSession = z.object({ sessionId: SessionId })
export type EndSession = z.infer<typeof EndSession>

/**
 * Ends one of the caller's sessions; its next request is anonymous.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, or `not-found` for another person's session
 */
export async function endSession(system: System, actor: Actor, input: EndSession): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'sessions.end-own', own, at)
  const session = await findSession(db, input.sessionId)
  if (session?.userId !== person.userId)
    throw new Problem('not-found', `${person.userId} has no session ${input.sessionId}`)

  await db.transaction(async (trx) => {
    const reason = 'ended-by-user'
    if (!(await endSessionRow(trx, session.id, { at, by: person.userId, reason }))) return
    await appendEvent(trx, {
      actor,
      at,
      action: 'session.ended',
      subject: { kind: 'session', id: session.id },
      details: { reason },
    })
  })
}
