import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Which process runs the recurring jobs, and when those with long intervals last ran. */
export async function createJobLeader(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('job_leader')
    // Always 1: there is one row.
    .addColumn('id', count, (c) => c.primaryKey().notNull())
    .addColumn('holder', 'text')
    .addColumn('beat', count, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('job_runs')
    .addColumn('job', 'text', (c) => c.primaryKey().notNull())
    .addColumn('ended_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
