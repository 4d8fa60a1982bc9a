import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ManagedSession = {
  person: Person
  ceremony: Ceremony
  /** Its subject in the log. */
  subject: { readonly kind: 'signing-session'; readonly id: SigningSessionId }
}

/**
 * A session of the actor's office on which the actor may perform this action.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for another office
 */
export async function findManagedSession(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  id: SigningSessionId,
  at: Instant,
  action: Action = 'signing-sessions.manage',
): Promise<ManagedSession> {
  const ceremony = await findCeremony(db, id)
  if (!ceremony) throw new Problem('not-found', `no signing session ${id}`)
  const subject = { kind: 'signing-session', id } as const
  const person = await authorizeOrRecord(db, actor, action, ceremony.session, at, subject)
  return { person, ceremony, subject }
}
