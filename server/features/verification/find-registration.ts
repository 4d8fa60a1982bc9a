import { findVersion } from '#server/db/documents/document-versions.ts'
import { listDocumentsBySha256 } from '#server/db/documents/documents.ts'
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
  const exact = await findSigned(db, sha256)
  if (exact) {
    const current = await findVersion(db, exact.id, exact.version)
    return { document: exact, relation: current?.sha256 === sha256 ? 'current' : 'earlier' }
  }
  for (const revision of revisions.toReversed()) {
    const document = await findSigned(db, revision)
    if (document) return { document, relation: 'changed' }
  }
  return undefined
}

async function findSigned(db: System['db'], sha256: Sha256): Promise<Document | undefined> {
  return (await listDocumentsBySha256(db, sha256)).find(({ state }) => state === 'signed')
}
