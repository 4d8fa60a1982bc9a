import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { findKnownPartyByRfc, upsertParty } from '#server/db/signing-sessions/parties.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { PartyId } from '#server/domain/ids.ts'
import { changedFacts, type PartyData } from '#server/domain/signing/session/party.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Keeps external signers in the office's catalogue, which offers them again: one entry an RFC, with the latest data.
 * A signer without an address keeps the known one.
 */
export async function rememberParties(
  trx: Transaction,
  by: Person,
  asked: readonly PartyData[],
  at: Instant,
): Promise<void> {
  // One order of rows for all transactions.
  for (const data of asked.toSorted((a, b) => (a.rfc < b.rfc ? -1 : 1)))
    await remember(trx, by, data, at)
}

async function remember(trx: Transaction, by: Person, asked: PartyData, at: Instant) {
  const { officeId, userId } = by
  const known = await findKnownPartyByRfc(trx, officeId, asked.rfc)
  const data = { ...asked, email: asked.email ?? known?.email ?? null }
  const id = known?.id ?? PartyId.parse(randomUUID())
  await upsertParty(trx, { ...data, id, officeId, at, by: userId })
  const changed = known ? changedFacts(known, data) : []
  if (known && changed.length === 0) return
  await appendEvent(trx, {
    actor: by,
    at,
    action: known ? 'party.changed' : 'party.added',
    subject: { kind: 'party', id },
    details: known ? { changed: changed.join(', ') } : {},
  })
}
