import {
  type CurrentDocument,
  findCurrentDocuments,
} from '#server/db/documents/current-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'

/** The current versions of a session's documents, in session order. */
export async function listDocumentsIn(
  db: Reader,
  { session, documents }: Pick<Ceremony, 'session' | 'documents'>,
): Promise<CurrentDocument[]> {
  const ids = documents.map(({ id }) => id)
  const found = await findCurrentDocuments(db, ids)
  return ids.map((id) => {
    const current = found.get(id)
    // Foreign keys guarantee the document; a missing one is a bug.
    if (!current) throw new Error(`session ${session.id} holds ${id}, which is gone`)
    return current
  })
}
