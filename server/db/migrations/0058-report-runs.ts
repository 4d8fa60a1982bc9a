import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * Reports that are made apart: what was asked for, where the count stands, and the file. Pieces are the rows of a long file until it is
 * written; then they are deleted.
 */
export async function createReportRuns(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('report_runs')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    // Null for the reports of a month.
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('month', 'text')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('format', 'text', (c) => c.notNull())
    .addColumn('query', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('due_at', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('progress', 'text')
    .addColumn('rows_read', count, (c) => c.notNull())
    .addColumn('percent', 'integer', (c) => c.notNull())
    .addColumn('file_name', 'text')
    .addColumn('sha256', 'text')
    .addColumn('bytes', count)
    .addColumn('expires_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of INDEXES)
    await db.schema
      .createIndex(name)
      .on('report_runs')
      .columns([...columns])
      .execute()
  // One of a person at a time, and one of each kind for a month, whatever two processes do.
  await sql`create unique index report_runs_under_way on report_runs (user_id)
    where state = 'waiting' and user_id is not null`.execute(db)
  await sql`create unique index report_runs_of_a_month on report_runs (office_id, month, kind)
    where month is not null`.execute(db)
  await db.schema
    .createTable('report_pieces')
    .addColumn('run_id', 'text', (c) => c.notNull().references('report_runs.id'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('rows', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_pieces_key', ['run_id', 'place'])
    .modifyEnd(tableOptions)
    .execute()
}

const INDEXES = [
  ['report_runs_by_user', ['office_id', 'user_id', 'created_at', 'id']],
  ['report_runs_due', ['state', 'due_at', 'id']],
  ['report_runs_ending', ['state', 'expires_at', 'id']],
  ['report_runs_by_file', ['office_id', 'sha256']],
] as const
