import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Users keep the list of documents with its filters, order and columns under names. */
export async function createDocumentViews(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('document_views')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_key', 'text', (c) => c.notNull())
    .addColumn('query', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addUniqueConstraint('document_views_name', ['user_id', 'name_key'])
    .modifyEnd(tableOptions)
    .execute()
}
