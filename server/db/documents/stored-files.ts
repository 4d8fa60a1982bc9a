import type { Database } from '#server/db/database.ts'
import type { StoredFileRow } from '#server/db/tables/files.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { FileAddress, StoredFile } from '#server/domain/documents/stored-file.ts'
import { OfficeId, OfficeKeyId, Sha256 } from '#server/domain/ids.ts'
import { addOfficeKey, findNewestOfficeKey, findOfficeKey } from './office-keys.ts'

export async function findStoredFile(
  db: Reader,
  { officeId, sha256 }: FileAddress,
): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom('stored_files')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row && toStoredFile(row)
}

/** False if the office has a file with this content already. */
const insertStoredFile = async (trx: Transaction, file: StoredFile): Promise<boolean> =>
  (await insertStoredFiles(trx, [file])).has(file.file)

/**
 * Their rows, but for contents that the office has a file with already.
 *
 * @returns the paths whose rows were written
 */
export async function insertStoredFiles(
  trx: Transaction,
  files: readonly StoredFile[],
): Promise<Set<string>> {
  // Two transactions with the same contents lock them in the same order.
  const sorted = files.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
  const written = new Set<string>()
  for (let start = 0; start < sorted.length; start += MOST_INSERTED) {
    const rows = await trx
      .insertInto('stored_files')
      .values(sorted.slice(start, start + MOST_INSERTED).map(toRow))
      .onConflict((conflict) => conflict.columns(['office_id', 'sha256']).doNothing())
      .returning('file')
      .execute()
    for (const { file } of rows) written.add(file)
  }
  return written
}

/** Rows of a statement: each binds seven values of the 32,766 that SQLite admits. */
const MOST_INSERTED = 1000

/** Compare-and-swap: false if the row is not as it was seen any more. */
export async function replaceStoredFile(
  trx: Transaction,
  seen: StoredFile,
  next: Pick<StoredFile, 'file' | 'bytes' | 'officeKeyId' | 'wrappedKey' | 'storedAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('stored_files')
    .set({
      file: next.file,
      bytes: next.bytes,
      office_key_id: next.officeKeyId,
      wrapped_key: next.wrappedKey,
      stored_at: next.storedAt,
    })
    .where('office_id', '=', seen.officeId)
    .where('sha256', '=', seen.sha256)
    .where('file', '=', seen.file)
    .where('office_key_id', '=', seen.officeKeyId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Files whose keys this key wraps, by digest, after the digest `after`. */
export async function listFilesOfKey(
  db: Reader,
  officeKeyId: OfficeKeyId,
  { after, limit }: { after: string; limit: number },
): Promise<StoredFile[]> {
  const rows = await db
    .selectFrom('stored_files')
    .selectAll()
    .where('office_key_id', '=', officeKeyId)
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute()
  return rows.map(toStoredFile)
}

/** The rows of stored files as the store of files uses them: each change is a transaction of its own. */
export const fileRecordsIn = (db: Database) => ({
  find: (address: FileAddress) => findStoredFile(db, address),
  add: (file: StoredFile) => db.transaction((trx) => insertStoredFile(trx, file)),
  replace: (seen: StoredFile, next: StoredFile) =>
    db.transaction((trx) => replaceStoredFile(trx, seen, next)),
  findKey: (id: OfficeKeyId) => findOfficeKey(db, id),
  findNewestKey: (officeId: OfficeId) => findNewestOfficeKey(db, officeId),
  addKey: (key: Parameters<typeof addOfficeKey>[1]) =>
    db.transaction((trx) => addOfficeKey(trx, key)),
})

const toRow = (file: StoredFile): StoredFileRow => ({
  office_id: file.officeId,
  sha256: file.sha256,
  file: file.file,
  bytes: file.bytes,
  office_key_id: file.officeKeyId,
  wrapped_key: file.wrappedKey,
  stored_at: file.storedAt,
})

const toStoredFile = (row: StoredFileRow): StoredFile => ({
  officeId: OfficeId.parse(row.office_id),
  sha256: Sha256.parse(row.sha256),
  file: row.file,
  bytes: Number(row.bytes),
  officeKeyId: OfficeKeyId.parse(row.office_key_id),
  wrappedKey: Uint8Array.from(row.wrapped_key),
  storedAt: row.stored_at,
})
