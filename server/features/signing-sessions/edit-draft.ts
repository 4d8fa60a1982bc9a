import { appendEvents } from '#server/db/audit/audit-events.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { PartyData } from '#server/domain/signing/session/party.ts'
import type { Instant } from '#server/domain/time.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { rememberParties } from '#server/steps/signing/remember-parties.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

/** Changes the session and returns the event for the log; null if nothing changed. */
type Edit = (
  trx: Transaction,
  ceremony: Ceremony,
  by: Person,
  at: Instant,
) => Promise<AuditEvent['details'] | null>

/**
 * Edits a draft session under its lock, so that concurrent edits do not overwrite each other.
 *
 * @param parties the external signers that the catalogue keeps
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `session-state` once it was opened
 */
export async function editDraft(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  id: SigningSessionId,
  edit: Edit,
  parties: readonly PartyData[] = [],
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findManagedSession(system, actor, id, at)
  await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const { state } = ceremony.session
    if (state !== 'draft') throw new Problem('session-state', `${id} is ${state}`)
    const details = await edit(trx, ceremony, person, at)
    if (details === null) return
    const remembered = await rememberParties(trx, person, parties, at)
    const changed = { actor, at, action: 'signing-session.changed', subject, details } as const
    await appendEvents(trx, [...remembered, changed])
  })
}
