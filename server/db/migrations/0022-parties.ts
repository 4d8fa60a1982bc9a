import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The catalogue of external signers of an office. No table refers to it, so its rows can be deleted. */
export async function createParties(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('parties')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('rfc', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('character', 'text', (c) => c.notNull())
    .addColumn('search_text', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addUniqueConstraint('parties_rfc', ['office_id', 'rfc'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('parties_newest')
    .on('parties')
    // A search reads the index alone, and the table only for what it found.
    .columns(['office_id', 'at', 'id', 'search_text'])
    .execute()
}
