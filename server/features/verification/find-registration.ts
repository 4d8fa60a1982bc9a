import { type LookingUp, listCompletedBySha256 } from '#server/db/documents/public-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { listCompleted } from '#server/steps/signing/find-completed.ts'
import type { System } from '#server/system.ts'
import { lookingUp } from './looking-up.ts'

/** How a file relates to a document that was signed here. */
export type Registration = {
  document: Document
  /**
   * `current`: identical to the registered file. `earlier`: as the document was when it was complete before.
   * `changed`: starts with the registered file and has more appended.
   */
  relation: 'current' | 'earlier' | 'changed'
}

/**
 * Finds files of complete documents only: drafts, and files of a signing that is under way, are unknown.
 *
 * @param revisions digests of the file's prefixes that could be files themselves
 */
export async function findRegistration(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  sha256: Sha256,
  revisions: readonly Sha256[] = [],
): Promise<Registration | undefined> {
  const completed = await findCompletedFiles(db, [sha256, ...revisions], lookingUp(actor))
  const exact = completed.get(sha256)
  if (exact) {
    const { document, version } = exact
    return { document, relation: version.sha256 === sha256 ? 'current' : 'earlier' }
  }
  // The longest known prefix wins.
  const longest = revisions.findLast((revision) => completed.has(revision))
  const document = longest && completed.get(longest)?.document
  return document && { document, relation: 'changed' }
}

type Complete = { document: Document; version: DocumentVersion }

/** The newest document that was complete with each digest, and its last complete version. */
async function findCompletedFiles(
  db: Reader,
  digests: readonly Sha256[],
  by: LookingUp,
): Promise<Map<Sha256, Complete>> {
  const found = await listCompletedBySha256(db, digests, by)
  const completed = await listCompleted(db, [...found.values()].flat())
  const files = new Map<Sha256, Complete>()
  for (const [digest, documents] of found)
    for (const document of documents) {
      const complete = completed.get(document.id)
      if (complete && !files.has(digest)) files.set(digest, { document, version: complete.version })
    }
  return files
}
