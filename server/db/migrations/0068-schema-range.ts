import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The oldest release that may run on this database, by its last step. */
export async function createSchemaRange(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('schema_range')
    // Always 1: there is one row.
    .addColumn('id', count, (c) => c.primaryKey().notNull())
    .addColumn('oldest_step', 'text', (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
