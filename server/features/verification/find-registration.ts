import { findVersion } from '#server/db/documents/document-versions.ts'
import { listDocumentsBySha256 } from '#server/db/documents/documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

/** How a file relates to a document that was signed here. */
export type Registration = {
  document: Document
  /**
   * `current`: identical to the registered file. `earlier`: one of its earlier versions. `changed`: starts with
   * the registered file and has more appended.
   */
  relation: 'current' | 'earlier' | 'changed'
}

/**
 * Finds public documents only; the file of a draft is treated as unknown.
 *
 * @param revisions digests of the file's prefixes that could be files themselves
 */
export async function findRegistration(
  { db }: System,
  sha256: Sha256,
  revisions: readonly Sha256[] = [],
): Promise<Registration | undefined> {
  const signed = await findSigned(db, [sha256, ...revisions])
  const exact = signed.get(sha256)
  if (exact) {
    const current = await findVersion(db, exact.id, exact.version)
    return { document: exact, relation: current?.sha256 === sha256 ? 'current' : 'earlier' }
  }
  // The longest known prefix wins.
  const longest = revisions.findLast((revision) => signed.has(revision))
  const document = longest && signed.get(longest)
  return document && { document, relation: 'changed' }
}

/** The newest signed document for each digest. */
async function findSigned(db: Reader, digests: readonly Sha256[]): Promise<Map<Sha256, Document>> {
  const found = await listDocumentsBySha256(db, digests)
  const signed = new Map<Sha256, Document>()
  for (const [digest, documents] of found) {
    const document = documents.find(({ state }) => state === 'signed')
    if (document) signed.set(digest, document)
  }
  return signed
}
