import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** How far each reader got in each version of a document; the log has the pages one by one. */
export async function createReadingProgress(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('reading_progress')
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('reader', 'text', (c) => c.notNull())
    .addColumn('version_sha256', 'text', (c) => c.notNull())
    .addColumn('pages', 'integer', (c) => c.notNull())
    .addColumn('last_page', 'integer', (c) => c.notNull())
    .addColumn('furthest', 'integer', (c) => c.notNull())
    .addColumn('first_at', instant, (c) => c.notNull())
    .addColumn('last_at', instant, (c) => c.notNull())
    .addColumn('asked_at', instant)
    .addPrimaryKeyConstraint('reading_progress_key', ['document_id', 'reader', 'version_sha256'])
    .modifyEnd(tableOptions)
    .execute()
}
