import { z } from 'zod'
import { DocumentState } from '#server/domain/documents/document.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type DocumentPage, findPage } from '#server/steps/documents/find-page.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const PAGE = 50

export const ListDocuments = z.object({
  /** A search as people write it: words, numbers, dates, names, an RFC, a folio, a verification code. */
  text: z.string().trim().max(200).optional(),
  state: DocumentState.optional(),
  /** The `next` of the previous page. */
  behind: DocumentCursor.optional(),
})
export type ListDocuments = z.infer<typeof ListDocuments>

/**
 * A page of the office's documents, newest first, or of those that a search finds.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listDocuments(
  system: System,
  actor: Actor,
  input: ListDocuments,
): Promise<DocumentPage> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'document.read', own, clock.now())
  return await findPage(system, { ...input, officeId, limit: PAGE })
}
