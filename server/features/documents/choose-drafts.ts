import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { findPage } from '#server/steps/documents/find-page.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Drafts of one page of the search. */
const PAGE = 25

export const ChooseDrafts = z.object({
  /** In the order in which they are signed. */
  chosen: z.array(DocumentId),
  /** A search as people write it. */
  text: z.string().trim().max(200).optional(),
  /** The `next` of the previous page. */
  behind: DocumentCursor.optional(),
})
export type ChooseDrafts = z.infer<typeof ChooseDrafts>

export type DraftChoice = {
  /** Those of the given ones that are drafts of the office, each once. */
  chosen: Document[]
  /** A page of the other drafts, newest first. */
  found: Document[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * The drafts that were chosen for a signing session, and a page of those that can be added. Reads the same number of rows in
 * an office of any size.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function chooseDrafts(
  system: System,
  actor: Actor,
  { chosen, text, behind }: ChooseDrafts,
): Promise<DraftChoice> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const at = clock.now()
  const { officeId } = await authorizeOrRecord(db, actor, 'signing-sessions.manage', own, at)
  const ids = new Set(chosen)
  const known = await findDocuments(db, ids)
  const drafts = [...ids].flatMap((id) => known.get(id) ?? [])
  const page = await findPage(system, { officeId, state: 'draft', text, behind, limit: PAGE })
  return {
    chosen: drafts.filter((one) => one.officeId === officeId && one.state === 'draft'),
    found: page.documents.filter(({ id }) => !ids.has(id)),
    next: page.next,
  }
}
