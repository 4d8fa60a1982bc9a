import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * Offices choose after how many days signers are reminded. A signer's row says since when it is their turn and when the next
 * reminder is due, so that the job finds due rows by an index.
 */
export async function remindSigners(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant } = columnsOf(dialect)
  await db.schema
    .alterTable('offices')
    .addColumn('reminder_policy', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()
  for (const column of ['turn_since', 'reminder_due'])
    await db.schema
      .alterTable('signers')
      .addColumn(column, instant, (c) => c.notNull().defaultTo(0))
      .execute()
  // Turns that go on: those of the first step still count from the opening of their session.
  await sql`update signers set turn_since = (
      select state_since from signing_sessions where signing_sessions.id = signers.signing_session_id
    ) where signing_session_id in (select id from signing_sessions where state = 'open')
      and state = 'pending'
      and not exists (
        select 1 from signers as other
        where other.signing_session_id = signers.signing_session_id
          and other.step < signers.step and other.state = 'pending')`.execute(db)
  await db.schema
    .createIndex('signers_to_remind')
    .on('signers')
    .columns(['reminder_due', 'id'])
    .execute()
}
