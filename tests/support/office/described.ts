import { findDocument } from '#server/db/documents/documents.ts'
import { type Description, digestOfDescription } from '#server/domain/documents/description.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { editDraft } from '#server/features/documents/edit-draft.ts'
import type { System } from '#server/system.ts'

/** A user opens the form of a draft as it is now, changes something, and saves. */
export async function describeDraft(
  system: System,
  actor: Actor,
  { id }: Pick<Document, 'id'>,
  changes: Partial<Description>,
): Promise<void> {
  const document = await findDocument(system.db, id)
  if (!document) throw new Error(`no document ${id}`)
  const { title, kind, instrument } = document
  const seen = digestOfDescription(document)
  await editDraft(system, actor, { documentId: id, seen, title, kind, instrument, ...changes })
}
