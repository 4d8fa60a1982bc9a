import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { ChosenDocuments } from '#server/domain/documents/chosen.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListChosenDrafts = z.object({ documentIds: ChosenDocuments })
export type ListChosenDrafts = z.infer<typeof ListChosenDrafts>

export type ChosenDrafts = {
  drafts: Document[]
  /** Documents of the office that are no drafts. */
  others: Document[]
}

/**
 * The documents of the office among those that were chosen in a list, for the form that cancels its drafts.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` if there are none
 */
export async function listChosenDrafts(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { documentIds }: ListChosenDrafts,
): Promise<ChosenDrafts> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.withdraw-own', own, clock.now())
  const found = await findDocuments(db, documentIds)
  const known = documentIds.flatMap((id) => found.get(id) ?? [])
  const ofOffice = known.filter((document) => document.officeId === officeId)
  if (ofOffice.length === 0) throw new Problem('not-found', 'no document of the office')
  return {
    drafts: ofOffice.filter(({ state }) => state === 'draft'),
    others: ofOffice.filter(({ state }) => state !== 'draft'),
  }
}
