import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceParty } from '#server/db/signing-sessions/parties.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { PartyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { changedFacts, type PartyData } from '#server/domain/signing/session/party.ts'
import type { System } from '#server/system.ts'
import { findManagedParty } from './find-managed-party.ts'

/**
 * Changes a party of the catalogue. Sessions keep what they were made with.
 *
 * @throws {Problem} `party-known` if another party has the RFC or this one is gone; see `findManagedParty`
 */
export async function changeParty(
  system: System,
  actor: Actor,
  { partyId, data }: { partyId: PartyId; data: PartyData },
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, party } = await findManagedParty(system, actor, partyId, at)
  const changed = changedFacts(party, data)
  if (changed.length === 0) return
  await db.transaction(async (trx) => {
    if (!(await replaceParty(trx, { ...party, ...data, at, by: person.userId })))
      throw new Problem('party-known', `${partyId} is gone, or another party has the RFC`)
    await appendEvent(trx, {
      actor,
      at,
      action: 'party.changed',
      subject: { kind: 'party', id: partyId },
      details: { changed: changed.join(', ') },
    })
  })
}
