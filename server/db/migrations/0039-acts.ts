import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The acts that offices added or changed, and the one that each session was made for; sessions of earlier releases have none. */
export async function createActs(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('acts')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    // Acts of the program have the same id in each office.
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('roles', 'text', (c) => c.notNull())
    .addColumn('notary', 'text', (c) => c.notNull())
    .addColumn('electronic', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('acts_key', ['office_id', 'id'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema.alterTable('signing_sessions').addColumn('act', 'text').execute()
}
