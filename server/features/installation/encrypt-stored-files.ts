import { isKnownContent, listOfficesWith } from '#server/db/documents/document-versions.ts'
import type { System } from '#server/system.ts'

/** Most files encrypted per run. */
const AT_ONCE = 200

export type EncryptedFiles = {
  /** Files that were encrypted and whose plain file was removed. */
  encrypted: number
  /** Files that no document has, which stay as they are. */
  ownerless: number
}

/**
 * Encrypts files that a release before 0029 stored as they are, for each office that has them, and removes the plain
 * ones. Safe to interrupt and repeat, and to run in two processes at once. If we crash, both files stay, and the
 * next run removes the plain one. A file that all its offices purged is removed. A file without a document stays: the database may be older than the files.
 *
 * @param stopping ends the run after the current file
 */
export async function encryptStoredFiles(
  { db, blobs }: Pick<System, 'db' | 'blobs'>,
  stopping?: AbortSignal,
): Promise<EncryptedFiles> {
  const done: EncryptedFiles = { encrypted: 0, ownerless: 0 }
  for await (const sha256 of blobs.plain.list()) {
    if (stopping?.aborted || done.encrypted === AT_ONCE) break
    const offices = await listOfficesWith(db, sha256)
    if (offices.length === 0 && !(await isKnownContent(db, sha256))) {
      done.ownerless += 1
      continue
    }
    for (const officeId of offices) await blobs.plain.encrypt({ officeId, sha256 })
    await blobs.plain.remove(sha256)
    done.encrypted += 1
  }
  return done
}
