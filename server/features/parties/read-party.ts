import type { Actor } from '#server/domain/identity/actor.ts'
import type { PartyId } from '#server/domain/ids.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import type { System } from '#server/system.ts'
import { findManagedParty } from './find-managed-party.ts'

export type ReadParty = { partyId: PartyId }

/** A party of the catalogue. @throws {Problem} see `findManagedParty` */
export async function readParty(
  system: System,
  actor: Actor,
  { partyId }: ReadParty,
): Promise<KnownParty> {
  const { party } = await findManagedParty(system, actor, partyId, system.clock.now())
  return party
}
