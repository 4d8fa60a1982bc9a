import type { ResumableUploadPartRow, ResumableUploadRow } from '#server/db/tables/files.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import type { ResumableUpload, UploadPart } from '#server/domain/documents/resumable-upload.ts'
import { DocumentId, OfficeId, Sha256, UploadId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function insertUpload(trx: Transaction, upload: ResumableUpload): Promise<void> {
  const { sealed } = upload
  const row: ResumableUploadRow = {
    id: upload.id,
    office_id: upload.officeId,
    user_id: upload.userId,
    file_name: upload.fileName,
    bytes: upload.bytes,
    modified_at: upload.modifiedAt,
    key_version: sealed.keyVersion,
    sealed_key: sealed.bytes,
    created_at: upload.createdAt,
    expires_at: upload.expiresAt,
    document_id: upload.documentId,
  }
  await trx.insertInto('resumable_uploads').values(row).execute()
}

/** Undefined once it is over. */
export async function findUpload(
  db: Reader,
  id: UploadId,
  now: Instant,
): Promise<ResumableUpload | undefined> {
  const row = await db
    .selectFrom('resumable_uploads')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && toUpload(row)
}

/** The unfinished uploads of a user, the oldest first. There are few. */
export async function listUnfinished(
  db: Reader,
  userId: UserId,
  now: Instant,
): Promise<ResumableUpload[]> {
  const rows = await db
    .selectFrom('resumable_uploads')
    .selectAll()
    .where('user_id', '=', userId)
    .where('document_id', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .execute()
  return rows.map(toUpload)
}

/** Number of unfinished uploads of an office. */
export async function countUnfinished(
  db: Reader,
  officeId: OfficeId,
  now: Instant,
): Promise<number> {
  const { waiting } = await db
    .selectFrom('resumable_uploads')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('office_id', '=', officeId)
    .where('document_id', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(waiting)
}

/** Uploads that ended before `limit`, finished or not. */
export async function listOverdueUploads(
  db: Reader,
  limit: Instant,
  most: number,
): Promise<UploadId[]> {
  const rows = await db
    .selectFrom('resumable_uploads')
    .select('id')
    .where('expires_at', '<=', limit)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => UploadId.parse(id))
}

/** In order. */
export async function listParts(db: Reader, id: UploadId): Promise<UploadPart[]> {
  const rows = await db
    .selectFrom('resumable_upload_parts')
    .selectAll()
    .where('upload_id', '=', id)
    .orderBy('place')
    .execute()
  return rows.map(toPart)
}

/** The bytes that are here of each of these uploads; one without parts is absent. */
export async function sumParts(
  db: Reader,
  ids: readonly UploadId[],
): Promise<Map<UploadId, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('resumable_upload_parts')
    .select(({ fn }) => ['upload_id', fn.sum<number>('bytes').as('here')])
    .where('upload_id', 'in', ids)
    .groupBy('upload_id')
    .execute()
  return new Map(rows.map((row) => [UploadId.parse(row.upload_id), Number(row.here)]))
}

export async function findPart(
  db: Reader,
  id: UploadId,
  place: number,
): Promise<UploadPart | undefined> {
  const row = await db
    .selectFrom('resumable_upload_parts')
    .selectAll()
    .where('upload_id', '=', id)
    .where('place', '=', place)
    .executeTakeFirst()
  return row && toPart(row)
}

/** Puts the part in place of the one that was there. */
export async function replacePart(
  trx: Transaction,
  id: UploadId,
  { place, bytes, sha256, file }: UploadPart,
): Promise<void> {
  await trx
    .insertInto('resumable_upload_parts')
    .values({ upload_id: id, place, bytes, sha256, file })
    .onConflict((conflict) =>
      conflict.columns(['upload_id', 'place']).doUpdateSet({ bytes, sha256, file }),
    )
    .execute()
}

/** Names the document that the upload became. */
export async function finishUploadRow(
  trx: Transaction,
  id: UploadId,
  documentId: DocumentId,
): Promise<void> {
  await trx
    .updateTable('resumable_uploads')
    .set({ document_id: documentId })
    .where('id', '=', id)
    .where('document_id', 'is', null)
    .execute()
}

/** Deletes the parts. @returns the names of their files, which lie there still */
export async function deleteParts(trx: Transaction, id: UploadId): Promise<string[]> {
  const rows = await trx
    .deleteFrom('resumable_upload_parts')
    .where('upload_id', '=', id)
    .returning('file')
    .execute()
  return rows.map(({ file }) => file)
}

/** Deletes an upload, its key and its parts. @returns the names of their files */
export async function deleteUpload(trx: Transaction, id: UploadId): Promise<string[]> {
  const files = await deleteParts(trx, id)
  await trx.deleteFrom('resumable_uploads').where('id', '=', id).execute()
  return files
}

const toUpload = (row: ResumableUploadRow): ResumableUpload => ({
  id: UploadId.parse(row.id),
  officeId: OfficeId.parse(row.office_id),
  userId: UserId.parse(row.user_id),
  fileName: FileName.parse(row.file_name),
  bytes: Number(row.bytes),
  modifiedAt: row.modified_at,
  sealed: { keyVersion: row.key_version, bytes: Uint8Array.from(row.sealed_key) },
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  documentId: row.document_id === null ? null : DocumentId.parse(row.document_id),
})

const toPart = ({ place, bytes, sha256, file }: ResumableUploadPartRow): UploadPart => ({
  place,
  bytes,
  sha256: Sha256.parse(sha256),
  file,
})
