import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Events that figures count, of the last 400 days. */
const COUNTED = {
  uploaded: 'document.uploaded',
  signed: 'document.signed',
  completed: 'signing-session.completed',
  verified: 'document.verified',
}

/** How many documents were uploaded, signed and verified, and sessions completed, each day: counting events would grow with the office. */
export async function countDays(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('daily_figures')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('figure', 'text', (c) => c.notNull())
    .addColumn('day', count, (c) => c.notNull())
    .addColumn('count', count, (c) => c.notNull())
    .addPrimaryKeyConstraint('daily_figures_key', ['office_id', 'figure', 'day'])
    .modifyEnd(tableOptions)
    .execute()
  for (const [figure, action] of Object.entries(COUNTED))
    await sql`insert into daily_figures (office_id, figure, day, count)
      select office_id, cast(${figure} as text), at / 86400000, count(*) from audit_events
      where office_id is not null and action = ${action}
        and at > (select at from audit_events order by seq desc limit 1) - 34560000000
      group by office_id, at / 86400000`.execute(db)
}
