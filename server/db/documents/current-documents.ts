import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { listArrivedSigned, listNamedVersions } from './document-versions.ts'
import { findDocuments } from './documents.ts'

/** A document and its current version. */
export type CurrentDocument = {
  document: Document
  version: DocumentVersion
  /** Whether the uploaded file had signatures; it gets no signature sheet. */
  arrivedSigned: boolean
}

/** The existing documents by id, each with its current version. */
export async function findCurrentDocuments(
  db: Reader,
  ids: Iterable<DocumentId>,
): Promise<Map<DocumentId, CurrentDocument>> {
  const documents = await findDocuments(db, ids)
  const named = [...documents.values()].map(({ id, version }) => ({ documentId: id, version }))
  const arrived = await listArrivedSigned(db, documents.keys())
  const found = new Map<DocumentId, CurrentDocument>()
  for (const version of await listNamedVersions(db, named)) {
    const document = documents.get(version.documentId)
    if (document)
      found.set(document.id, { document, version, arrivedSigned: arrived.has(document.id) })
  }
  return found
}
