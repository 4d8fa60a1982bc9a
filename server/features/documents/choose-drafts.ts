import { z } from 'zod'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { DocumentFilters, instantsOf } from '#server/domain/documents/document-filters.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { DocumentPage } from '#server/steps/documents/document-page.ts'
import { findPage } from '#server/steps/documents/find-page.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** Drafts of one page of the search. */
const PAGE = 25

export const ChooseDrafts = z.object({
  ...DocumentFilters.shape,
  /** In the order in which they are signed. */
  chosen: z.array(DocumentId),
  /** A search as people write it. */
  text: z.string().trim().max(200).optional(),
  /** The `next` of the previous page. */
  behind: DocumentCursor.optional(),
})
export type ChooseDrafts = z.infer<typeof ChooseDrafts>

export type DraftChoice = Omit<DocumentPage, 'documents'> & {
  /** Those of the given ones that are drafts of the office, each once. */
  chosen: Document[]
  /** A page of the other drafts, newest first. */
  found: Document[]
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
  { chosen, text, kind, by, from, to, behind }: ChooseDrafts,
): Promise<DraftChoice> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const at = clock.now()
  const { officeId } = await authorizeOrRecord(db, actor, 'signing-sessions.manage', own, at)
  const ids = new Set(chosen)
  const known = await findDocuments(db, ids)
  const drafts = [...ids].flatMap((id) => known.get(id) ?? [])
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const { documents, ...page } = await findPage(system, {
    ...{ officeId, state: 'draft', text, kind, createdBy: by, behind, limit: PAGE },
    ...instantsOf({ from, to }, office.timeZone),
  })
  return {
    ...page,
    chosen: drafts.filter((one) => one.officeId === officeId && one.state === 'draft'),
    found: documents.filter(({ id }) => !ids.has(id)),
  }
}
