import { findKnownParty } from '#server/db/signing-sessions/parties.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { PartyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * A party of the actor's office, for those who make signing sessions.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for another office
 */
export async function findManagedParty(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  id: PartyId,
  at: Instant,
): Promise<{ person: Person; party: KnownParty }> {
  const party = await findKnownParty(db, id)
  if (!party) throw new Problem('not-found', `no party ${id}`)
  const subject = { kind: 'party', id } as const
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.manage', party, at, subject)
  return { person, party }
}
