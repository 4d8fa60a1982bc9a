import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findKnownParty,
  lockParties,
  removeParty as removeRow,
} from '#server/db/signing-sessions/parties.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { PartyId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findManagedParty } from './find-managed-party.ts'
import type { RestoreParty } from './restore-party.ts'

export type RemoveParty = { partyId: PartyId }

/**
 * Deletes a party from the catalogue. The log keeps that it was deleted, without name or RFC; sessions keep their
 * signers.
 *
 * @returns what undoes it; null if another request was faster
 * @throws {Problem} see `findManagedParty`
 */
export async function removeParty(
  system: System,
  actor: Actor,
  { partyId }: RemoveParty,
): Promise<RestoreParty | null> {
  const { db, clock } = system
  const at = clock.now()
  const { party } = await findManagedParty(system, actor, partyId, at)
  return await db.transaction(async (trx) => {
    await lockParties(trx, party.officeId)
    const last = await findKnownParty(trx, partyId)
    if (!last || !(await removeRow(trx, partyId))) return null
    await appendEvent(trx, {
      actor,
      at,
      action: 'party.removed',
      subject: { kind: 'party', id: partyId },
      details: {},
    })
    return { party: last, doneAt: at }
  })
}
