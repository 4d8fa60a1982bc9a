import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findKnownPartiesByRfc,
  findKnownParty,
  lockParties,
  replaceParty,
} from '#server/db/signing-sessions/parties.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { PartyId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { changedFacts, PartyData } from '#server/domain/signing/session/party.ts'
import { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { findManagedParty } from './find-managed-party.ts'

export const ChangeParty = z.object({
  partyId: PartyId,
  /** The `at` of the party on the screen. */
  seenAt: Instant,
  data: PartyData,
})
export type ChangeParty = z.infer<typeof ChangeParty>

/**
 * Changes a party of the catalogue. Sessions keep what they were made with.
 *
 * @throws {Problem} `stale-version` if it changed since `seenAt`, `party-known` if another party has the RFC; see
 *   `findManagedParty`
 */
export async function changeParty(
  system: System,
  actor: Actor,
  { partyId, seenAt, data }: ChangeParty,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person } = await findManagedParty(system, actor, partyId, at)
  const { officeId, userId } = person
  await db.transaction(async (trx) => {
    await lockParties(trx, officeId)
    const party = await findKnownParty(trx, partyId)
    if (!party) throw new Problem('not-found', `${partyId} is gone`)
    const changed = changedFacts(party, data)
    if (changed.length === 0) return
    if (party.at !== seenAt) throw new Problem('stale-version', `${partyId} is of ${party.at}`)
    const holder = (await findKnownPartiesByRfc(trx, officeId, [data.rfc])).get(data.rfc)
    if (holder && holder.id !== partyId)
      throw new Problem('party-known', `${holder.id} has the RFC`)
    await replaceParty(trx, { ...party, ...data, at, by: userId })
    await appendEvent(trx, {
      actor,
      at,
      action: 'party.changed',
      subject: { kind: 'party', id: partyId },
      details: { changed: changed.join(', ') },
    })
  })
}
