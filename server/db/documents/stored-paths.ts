import type { Reader } from '#server/db/transaction.ts'
import { plainPathOf, type StoredFile } from '#server/domain/documents/stored-file.ts'
import { Sha256 } from '#server/domain/ids.ts'

type Page = { after: string | undefined; limit: number }

/**
 * The stored files of all offices that the database names: their paths below the folder of the stored files, with
 * `/` between folders. Each once: the encrypted ones first, then those of earlier releases that no job has encrypted yet.
 *
 * @param after the last path of the page before
 */
export async function listStoredPaths(db: Reader, { after, limit }: Page): Promise<string[]> {
  if (after !== undefined && isPlain(after)) return plainPaths(db, { after, limit })
  const encrypted = await encryptedPaths(db, { after, limit })
  const room = limit - encrypted.length
  if (room === 0) return encrypted
  return [...encrypted, ...(await plainPaths(db, { after: undefined, limit: room }))]
}

const encryptedPaths = async (db: Reader, page: Page): Promise<string[]> =>
  (await listStoredNames(db, page)).map(({ file }) => file)

/** The encrypted files of all offices, by name. @param after the last name of the page before */
export async function listStoredNames(
  db: Reader,
  { after, limit }: Page,
): Promise<Pick<StoredFile, 'file' | 'bytes'>[]> {
  const rows = await db
    .selectFrom('stored_files')
    .select(['file', 'bytes'])
    .$if(after !== undefined, (query) => query.where('file', '>', after!))
    .orderBy('file')
    .limit(limit)
    .execute()
  return rows.map(({ file, bytes }) => ({ file, bytes: Number(bytes) }))
}

async function plainPaths(db: Reader, { after, limit }: Page): Promise<string[]> {
  const rows = await db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.id', 'document_versions.document_id')
    .select('document_versions.sha256')
    .distinct()
    .where('documents.purged_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('stored_files')
            .select('stored_files.sha256')
            .whereRef('stored_files.office_id', '=', 'documents.office_id')
            .whereRef('stored_files.sha256', '=', 'document_versions.sha256'),
        ),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where('document_versions.sha256', '>', digestOf(after!)),
    )
    .orderBy('document_versions.sha256')
    .limit(limit)
    .execute()
  return rows.map(({ sha256 }) => plainPathOf(Sha256.parse(sha256)))
}

/** The folders of offices have longer names. */
const isPlain = (path: string) => /^[0-9a-f]{2}\//.test(path)
const digestOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
