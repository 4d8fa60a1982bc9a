import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Document timestamps that were issued, and whose files are not versions yet. */
export async function createDocumentStamps(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('document_stamps')
    .addColumn('document_id', 'text', (c) => c.primaryKey().notNull().references('documents.id'))
    .addColumn('base_sha256', 'text', (c) => c.notNull())
    .addColumn('behind', bytes, (c) => c.notNull())
    .addColumn('authority', 'text', (c) => c.notNull())
    .addColumn('holds_until', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('document_stamps_expiry')
    .on('document_stamps')
    .column('expires_at')
    .execute()
}
