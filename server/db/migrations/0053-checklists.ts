import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The lists that offices wrote for their acts, and the copies of the lists that documents have. */
export async function createChecklists(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('act_checklists')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    // Acts of the program have no row in each office.
    .addColumn('act_id', 'text', (c) => c.notNull())
    .addColumn('items', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('act_checklists_key', ['office_id', 'act_id'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('document_checks')
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('act_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('act_name', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('phase', 'text', (c) => c.notNull())
    .addColumn('need', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('document_checks_key', ['document_id', 'act_id', 'position'])
    .modifyEnd(tableOptions)
    .execute()
}
