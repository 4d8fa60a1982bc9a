import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** When the file of a document was purged, and by which user, and files that no row names any more. */
export async function purgeDocuments(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema.alterTable('documents').addColumn('purged_at', instant).execute()
  await schema
    .alterTable('documents')
    .addColumn('purged_by', 'text', (c) => c.references('users.id'))
    .execute()
  await schema
    .createTable('unneeded_files')
    .addColumn('file', 'text', (c) => c.primaryKey().notNull())
    .addColumn('since', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
