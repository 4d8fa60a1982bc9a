import { findOffice } from '#server/db/people/offices.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { isLive, type Session } from '#server/domain/identity/session.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type OwnSession = Session & {
  /** `here` is the session of this request. */
  place: 'here' | 'elsewhere'
}

/** The caller's live sessions, newest first. */
export async function listOwnSessions(system: System, actor: Actor): Promise<OwnSession[]> {
  const { db, clock } = system
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'sessions.read-own', own, now)
  const office = await findOffice(db, person.officeId)
  if (!office) return []
  const sessions = await listSessions(db, person.userId, now)
  return sessions
    .filter((session) => isLive(session, office.sessionIdle, now))
    .map((session) => ({
      ...session,
      place: session.id === person.sessionId ? 'here' : 'elsewhere',
    }))
}
