import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Offices that want their reports each month, and the months that were made and told. */
export async function scheduleReports(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .alterTable('offices')
    .addColumn('report_schedule', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()
  await db.schema
    .createTable('report_months')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('month', 'text', (c) => c.notNull())
    .addColumn('begun_at', instant, (c) => c.notNull())
    .addColumn('told_at', instant)
    .addPrimaryKeyConstraint('report_months_key', ['office_id', 'month'])
    .modifyEnd(tableOptions)
    .execute()
}
