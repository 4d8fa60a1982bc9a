import { z } from 'zod'
import { listKnownParties as listRows } from '#server/db/signing-sessions/parties.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { PartyId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListKnownParties = z.object({
  /** Words of the name or RFC; ignores accents and case. */
  text: z.string().trim().max(200).optional(),
  /** The `next` of the previous page. */
  behind: pageCursor(PartyId).optional(),
})
export type ListKnownParties = z.infer<typeof ListKnownParties>

export type PartyPage = {
  parties: KnownParty[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the office's catalogue of parties, those asked last first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listKnownParties(
  { db, clock }: System,
  actor: Actor,
  { text, behind, size = 50 }: ListKnownParties & { size?: number },
): Promise<PartyPage> {
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.manage', own, clock.now())
  const found = await listRows(db, { officeId: person.officeId, text, behind, limit: size + 1 })
  const parties = found.slice(0, size)
  const last = found.length > size ? parties.at(-1) : undefined
  return { parties, next: last && cursorText(last) }
}
