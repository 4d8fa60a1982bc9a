import type { CapacityDocumentRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  CapacityDocument,
  MOST_CAPACITY_DOCUMENTS,
} from '#server/domain/documents/capacity-document.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { CapacityDocumentId, UserId } from '#server/domain/ids.ts'

/** Those of a user, newest first; no more than a user may have. */
export async function listCapacityDocuments(
  db: Reader,
  userId: UserId,
): Promise<CapacityDocument[]> {
  const rows = await db
    .selectFrom('capacity_documents')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('added_at', 'desc')
    .orderBy('id')
    .limit(MOST_CAPACITY_DOCUMENTS)
    .execute()
  return rows.map(toCapacityDocument)
}

export async function findCapacityDocument(
  db: Reader,
  id: CapacityDocumentId,
): Promise<CapacityDocument | undefined> {
  const row = await db
    .selectFrom('capacity_documents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCapacityDocument(row)
}

/** Whether the file supports a capacity, so that it must stay. */
export async function isCapacityFile(
  db: Reader,
  { officeId, sha256 }: FileAddress,
): Promise<boolean> {
  const row = await db
    .selectFrom('capacity_documents')
    .select('id')
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertCapacityDocument(
  trx: Transaction,
  document: CapacityDocument,
): Promise<void> {
  await trx.insertInto('capacity_documents').values(toRow(document)).execute()
}

const toCapacityDocument = (row: CapacityDocumentRow): CapacityDocument =>
  CapacityDocument.parse({
    ...row,
    officeId: row.office_id,
    userId: row.user_id,
    capacityOf: row.capacity_of,
    capacityFrom: row.capacity_from,
    capacityTo: row.capacity_to,
    bytes: Number(row.bytes),
    fileName: row.file_name,
    addedAt: row.added_at,
    addedBy: row.added_by,
  })

const toRow = (document: CapacityDocument): CapacityDocumentRow => ({
  id: document.id,
  office_id: document.officeId,
  user_id: document.userId,
  capacity: document.capacity,
  capacity_of: document.capacityOf,
  capacity_from: document.capacityFrom,
  capacity_to: document.capacityTo,
  sha256: document.sha256,
  bytes: document.bytes,
  file_name: document.fileName,
  added_at: document.addedAt,
  added_by: document.addedBy,
})
