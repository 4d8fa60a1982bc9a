import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * A user's turns, the lists of signing sessions, the user's own sessions and the events of one kind about a document are
 * read by an index: requests looked through all sessions that ever named the user, and all events about the document.
 */
export async function indexTurnsAndSessions(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  await markAwaitedSigners(db, dialect)
  for (const [name, table, columns] of INDEXES)
    await db.schema.createIndex(name).on(table).columns(columns).execute()
}

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['session_documents_in_order', 'session_documents', ['signing_session_id', 'position']],
  ['signing_sessions_by_state', 'signing_sessions', ['office_id', 'state', 'created_at', 'id']],
  ['signing_sessions_by_author', 'signing_sessions', ['created_by', 'created_at', 'id']],
  [
    'signing_sessions_by_author_and_state',
    'signing_sessions',
    ['created_by', 'state', 'created_at', 'id'],
  ],
  ['audit_events_by_subject_and_action', 'audit_events', ['subject_id', 'action', 'seq']],
]

async function markAwaitedSigners(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema
    .alterTable('signers')
    .addColumn('awaited_since', columnsOf(dialect).instant, (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update signers set awaited_since = (
      select created_at from signing_sessions where signing_sessions.id = signers.signing_session_id
    ) where signing_session_id in (select id from signing_sessions where state = 'open')`.execute(
    db,
  )
  // Unique, so that SQLite knows that no two signers share a place in the order, and sorts nothing.
  await db.schema
    .createIndex('signers_awaited')
    .unique()
    .on('signers')
    .columns(['user_id', 'state', 'awaited_since', 'id'])
    .execute()
  await db.schema.dropIndex('signers_by_user').execute()
}
