import { z } from 'zod'
import { listDocuments as listDocumentRows } from '#server/db/documents/documents.ts'
import { type Document, DocumentState } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const PAGE = 50

export const ListDocuments = z.object({
  /** Words of the folio, title or instrument; ignores accents and case. */
  text: z.string().trim().max(200).optional(),
  state: DocumentState.optional(),
  /** The `next` of the previous page. */
  behind: pageCursor(DocumentId).optional(),
})
export type ListDocuments = z.infer<typeof ListDocuments>

export type DocumentPage = {
  documents: Document[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the office's documents, newest first.
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
  const found = await listDocumentRows(db, { ...input, officeId, limit: PAGE + 1 })
  const documents = found.slice(0, PAGE)
  const last = found.length > PAGE ? documents.at(-1) : undefined
  return { documents, next: last && cursorText({ at: last.createdAt, id: last.id }) }
}
