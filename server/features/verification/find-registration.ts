import { findVersion } from '#server/db/documents/document-versions.ts'
import { listDocumentsBySha256 } from '#server/db/documents/documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'

/** How a file stands to a document that was signed here. */
export type Registration = {
  document: Document
  /**
   * `current`: byte for byte the registered file. `earlier`: one of its earlier versions.
   * `changed`: it begins with the registered file, and something was added behind it.
   */
  relation: 'current' | 'earlier' | 'changed'
}

/**
 * Only documents that are public; a draft's file is not known to anybody.
 *
 * @param revisions digests of the beginnings of the file that could be files of their own
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
  // The longest beginning counts.
  const longest = revisions.findLast((revision) => signed.has(revision))
  const document = longest && signed.get(longest)
  return document && { document, relation: 'changed' }
}

/** The newest signed document with each of these digests, by the digest. */
async function findSigned(db: Reader, digests: readonly Sha256[]): Promise<Map<Sha256, Document>> {
  const found = await listDocumentsBySha256(db, digests)
  const signed = new Map<Sha256, Document>()
  for (const [digest, documents] of found) {
    const document = documents.find(({ state }) => state === 'signed')
    if (document) signed.set(digest, document)
  }
  return signed
}
