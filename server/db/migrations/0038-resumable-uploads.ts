import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Files on their way, part by part. Both tables hold working rows: they are deleted when an upload is over. */
export async function createResumableUploads(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, count, bytes, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('resumable_uploads')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('bytes', count, (c) => c.notNull())
    .addColumn('modified_at', instant, (c) => c.notNull())
    .addColumn('key_version', 'integer', (c) => c.notNull())
    .addColumn('sealed_key', bytes, (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('document_id', 'text', (c) => c.references('documents.id'))
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('resumable_upload_parts')
    .addColumn('upload_id', 'text', (c) => c.notNull().references('resumable_uploads.id'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('resumable_upload_parts_key', ['upload_id', 'place'])
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of INDEXES)
    await db.schema
      .createIndex(name)
      .on('resumable_uploads')
      .columns([...columns])
      .execute()
}

const INDEXES = [
  ['resumable_uploads_by_user', ['user_id', 'document_id', 'created_at']],
  ['resumable_uploads_by_office', ['office_id', 'document_id', 'expires_at']],
  ['resumable_uploads_due', ['expires_at', 'id']],
  // Both are deleted one day, or looked for by their keys: rows that refer to them are found.
  ['resumable_uploads_by_document', ['document_id']],
] as const
