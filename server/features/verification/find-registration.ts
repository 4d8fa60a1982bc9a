import { listVersions } from '#server/db/documents/document-versions.ts'
import { listSignedBySha256 } from '#server/db/documents/documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { type CompletedVersion, listCompleted } from '#server/steps/signing/find-completed.ts'
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
  { db }: Pick<System, 'db'>,
  sha256: Sha256,
  revisions: readonly Sha256[] = [],
): Promise<Registration | undefined> {
  const signed = await findSigned(db, [sha256, ...revisions])
  const exact = signed.get(sha256)
  if (exact) {
    const { document, version } = exact
    return { document, relation: version.sha256 === sha256 ? 'current' : 'earlier' }
  }
  // The longest known prefix wins.
  const longest = revisions.findLast((revision) => signed.has(revision))
  const document = longest && signed.get(longest)?.document
  return document && { document, relation: 'changed' }
}

type Complete = { document: Document; version: DocumentVersion }

/** The newest complete document for each digest. Files of a signing that is under way are unknown. */
async function findSigned(db: Reader, digests: readonly Sha256[]): Promise<Map<Sha256, Complete>> {
  const found = await listSignedBySha256(db, digests)
  const completed = await listCompleted(db, [...found.values()].flat())
  const signed = new Map<Sha256, Complete>()
  for (const [digest, documents] of found)
    for (const document of documents) {
      const complete = completed.get(document.id)
      if (!complete || signed.has(digest) || (await isLater(db, complete, digest))) continue
      signed.set(digest, { document, version: complete.version })
    }
  return signed
}

/** Whether the file belongs to the signing that adds signatures to the complete version. */
async function isLater(
  db: Reader,
  { version, isFurtherSigning }: CompletedVersion,
  digest: Sha256,
): Promise<boolean> {
  if (!isFurtherSigning) return false
  const versions = await listVersions(db, version.documentId)
  return versions.every((one) => one.sha256 !== digest || one.version > version.version)
}
