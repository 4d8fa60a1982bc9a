import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * The keys of encrypted files: each office has keys, sealed by the vault, and each file a key of its own, wrapped by
 * one of them. Files of earlier releases have no row until a job has encrypted them.
 */
export async function createStoredFiles(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, bytes, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('office_keys')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('made_at', instant, (c) => c.notNull())
    .addColumn('key_version', 'integer', (c) => c.notNull())
    .addColumn('sealed_key', bytes, (c) => c.notNull())
    .addUniqueConstraint('office_keys_by_office', ['office_id', 'number'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('stored_files')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull().unique())
    .addColumn('bytes', count, (c) => c.notNull())
    // A key that a file still needs cannot be deleted.
    .addColumn('office_key_id', 'text', (c) => c.notNull().references('office_keys.id'))
    .addColumn('wrapped_key', bytes, (c) => c.notNull())
    .addColumn('stored_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('stored_files_key', ['office_id', 'sha256'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('stored_files_by_key')
    .on('stored_files')
    .columns(['office_key_id', 'sha256'])
    .execute()
}
