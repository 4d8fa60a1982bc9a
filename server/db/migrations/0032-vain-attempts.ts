import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * Failed sign-ins that are counted until the log has one event about them, locks that are found by account, and live
 * sessions that are found by user.
 */
export async function countVainAttempts(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('vain_attempts')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('office_id', 'text', (c) => c.references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('request_id', 'text', (c) => c.notNull())
    // Of the last event; 1970 if there is none.
    .addColumn('logged_at', instant, (c) => c.notNull())
    // Since the last event.
    .addColumn('attempts', count, (c) => c.notNull())
    .addColumn('first_at', instant)
    .addColumn('last_at', instant)
    // Null unless the user has to be warned.
    .addColumn('warning_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  // Statements use these two only if they name the condition: no parameter.
  await sql`create index vain_attempts_due on vain_attempts (logged_at) where attempts > 0`.execute(
    db,
  )
  await sql`create index vain_attempts_warning on vain_attempts (warning_at)
    where warning_at is not null`.execute(db)
  await schema
    .createIndex('vain_attempts_by_event')
    .on('vain_attempts')
    .columns(['logged_at'])
    .execute()

  // Of the sessions of a user, which stay for ever, only those that may be live are listed.
  await sql`create index sessions_live on sessions (user_id, expires_at) where ended_at is null`.execute(
    db,
  )

  // Null for counts of networks, and for those of earlier releases, which last an hour.
  await schema.alterTable('attempts').addColumn('account', 'text').execute()
  await schema.createIndex('attempts_by_account').on('attempts').columns(['account']).execute()
}
