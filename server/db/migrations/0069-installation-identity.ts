import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Which store has the files of this database, and which keys its secrets are sealed with. */
export async function createInstallationIdentity(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { bytes, count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('file_store')
    // Always 1: there is one row.
    .addColumn('id', count, (c) => c.primaryKey().notNull())
    .addColumn('store_id', 'text', (c) => c.notNull())
    // Null until the store has the id.
    .addColumn('confirmed_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('key_fingerprints')
    // Of the file of the key.
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('fingerprint', bytes, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
