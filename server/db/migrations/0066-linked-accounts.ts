import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The accounts of one person in several offices. A person without a row has one account. */
export async function createLinkedAccounts(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('linked_accounts')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id'))
    .addColumn('person', 'text', (c) => c.notNull())
    .addColumn('linked_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('linked_accounts_by_person')
    .on('linked_accounts')
    .columns(['person', 'user_id'])
    .execute()
}
