import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * The logs of the installation. Events stay where they are: those of the first log have the positions from 0, those of
 * the log with the number n have the positions from n · 2⁴⁰.
 */
export async function createLogs(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('logs')
    .addColumn('number', count, (c) => c.primaryKey().notNull())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('office_id', 'text', (c) => c.references('offices.id'))
    .addColumn('follows', count)
    .addColumn('opened_at', instant)
    .addColumn('closed_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('logs_by_office')
    .on('logs')
    .columns(['office_id', 'closed_at'])
    .execute()
  // The first log is called after its key, not after this id.
  await sql`insert into logs (number, id) values (0, '00000000-0000-0000-0000-000000000000')`.execute(
    db,
  )
}
