import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The backups that were finished. */
export async function createBackups(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('backups')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('made_at', instant, (c) => c.notNull())
    // Without a reference: a restored database may not know the backup on which this one stands.
    .addColumn('since_id', 'text')
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('bytes', count, (c) => c.notNull())
    .addColumn('files', count, (c) => c.notNull())
    .addColumn('missing', count, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema.createIndex('backups_newest').on('backups').column('made_at').execute()
}
