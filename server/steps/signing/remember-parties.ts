import { randomUUID } from 'node:crypto'
import type { NewEvent } from '#server/db/audit/audit-events.ts'
import {
  findKnownPartiesByRfc,
  lockParties,
  upsertParties,
} from '#server/db/signing-sessions/parties.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import { PartyId } from '#server/domain/ids.ts'
import {
  changedFacts,
  type KnownParty,
  type PartyData,
} from '#server/domain/signing/session/party.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Keeps external signers in the office's catalogue, which offers them again: one entry an RFC, with the latest data.
 * A signer without an address keeps the known one. Returns the events, for the caller to append last.
 */
export async function rememberParties(
  trx: Transaction,
  by: Person,
  asked: readonly PartyData[],
  at: Instant,
): Promise<NewEvent[]> {
  if (asked.length === 0) return []
  const { officeId, userId } = by
  await lockParties(trx, officeId)
  const latest = latestByRfc(asked)
  const known = await findKnownPartiesByRfc(trx, officeId, latest.keys())
  const parties = [...latest.values()].map((data) => {
    const seen = known.get(data.rfc)
    const id = seen?.id ?? PartyId.parse(randomUUID())
    return { ...data, email: data.email ?? seen?.email ?? null, id, officeId, at, by: userId }
  })
  await upsertParties(trx, parties)
  return parties.flatMap((party) => eventOf(by, known.get(party.rfc), party, at) ?? [])
}

/** A person may be asked in several characters: the last one stays. */
function latestByRfc(asked: readonly PartyData[]): Map<Rfc, PartyData> {
  const latest = new Map<Rfc, PartyData>()
  for (const data of asked)
    latest.set(data.rfc, { ...data, email: data.email ?? latest.get(data.rfc)?.email ?? null })
  return latest
}

/** Undefined if nothing changed. */
function eventOf(
  actor: Person,
  seen: KnownParty | undefined,
  party: KnownParty,
  at: Instant,
): NewEvent | undefined {
  const subject = { kind: 'party', id: party.id } as const
  if (!seen) return { actor, at, action: 'party.added', subject }
  const changed = changedFacts(seen, party)
  if (changed.length === 0) return undefined
  const details = { changed: changed.join(', ') }
  return { actor, at, action: 'party.changed', subject, details }
}
