import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findKnownPartiesByRfc,
  findKnownParty,
  lockParties,
  upsertParties,
} from '#server/db/signing-sessions/parties.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import type { Instant } from '#server/domain/time.ts'
import { canUndo, type UndoOutcome } from '#server/domain/undo.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type RestoreParty = {
  party: KnownParty
  /** When it was removed. */
  doneAt: Instant
}

/**
 * Undoes that a party was removed from the catalogue. `changed` if the catalogue has its RFC again.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` for a party of another office
 */
export async function restoreParty(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { party, doneAt }: RestoreParty,
): Promise<UndoOutcome> {
  const at = clock.now()
  const { id, officeId, rfc } = party
  const subject = { kind: 'party', id } as const
  await authorizeOrRecord(db, actor, 'signing-sessions.manage', party, at, subject)
  return await db.transaction(async (trx) => {
    await lockParties(trx, officeId)
    if (await findKnownParty(trx, id)) return 'undone'
    if (!canUndo(doneAt, at)) return 'too-late'
    if ((await findKnownPartiesByRfc(trx, officeId, [rfc])).size > 0) return 'changed'
    await upsertParties(trx, [party])
    await appendEvent(trx, { actor, at, action: 'party.restored', subject, details: {} })
    return 'undone'
  })
}
