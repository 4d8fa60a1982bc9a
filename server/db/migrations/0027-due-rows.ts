import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Jobs find the rows that are due by an index: they looked through all documents, mail and sessions at each run. */
export async function indexDueRows(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await awaitArchives(db)
  await markSessionsWithoutTokens(db, dialect)
  for (const [name, table, columns] of INDEXES)
    await db.schema.createIndex(name).on(table).columns(columns).execute()
  // A statement uses it only if it names the condition: no parameter.
  await sql`create index outbox_secret on outbox (expires_at) where sealed_body is not null`.execute(
    db,
  )
}

const INDEXES: readonly (readonly [name: string, table: string, columns: string[]])[] = [
  ['outbox_expiry', 'outbox', ['state', 'expires_at']],
  ['constancias_of_provider', 'constancias', ['provider_id', 'state', 'issued_at', 'id']],
  ['attempts_by_window', 'attempts', ['window_started_at', 'blocked_until']],
  ['sign_ins_expiry', 'sign_ins', ['expires_at']],
  ['sign_ins_by_user', 'sign_ins', ['user_id', 'state']],
  ['webauthn_challenges_expiry', 'webauthn_challenges', ['expires_at']],
  ['presence_challenges_expiry', 'presence_challenges', ['expires_at']],
  ['kept_requests_expiry', 'kept_requests', ['expires_at']],
  ['kept_requests_by_session', 'kept_requests', ['session_id', 'expires_at']],
  ['prepared_signatures_expiry', 'prepared_signatures', ['expires_at']],
  ['activations_by_user', 'activations', ['user_id', 'created_at']],
  ['activations_by_maker', 'activations', ['created_by', 'state']],
]

/** What jobs wait for between the last signature and the long-term proof. */
const QUIET_MS = 5 * 60 * 1000

/* Each completed document has a row from now on, and each row names the office. */
async function awaitArchives(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('archives')
    .addColumn('office_id', 'text', (c) => c.references('offices.id'))
    .execute()
  await sql`update archives
    set office_id = (select office_id from documents where documents.id = archives.document_id)`.execute(
    db,
  )
  await sql`insert into archives
      (document_id, office_id, version, state, state_since, attempts, due_at)
    select documents.id, documents.office_id, documents.version, 'waiting', document_versions.at, 0,
      document_versions.at + ${sql.lit(QUIET_MS)}
    from documents
    join document_versions on document_versions.document_id = documents.id
      and document_versions.version = documents.version
    where documents.state = 'signed' and document_versions.cause = 'signed'
    on conflict (document_id) do update
    set version = excluded.version, state = excluded.state, state_since = excluded.state_since,
      attempts = excluded.attempts, due_at = excluded.due_at, fault = null
    where archives.version <> excluded.version`.execute(db)
  await db.schema.dropIndex('archives_due').execute()
  await db.schema
    .createIndex('archives_due')
    .on('archives')
    .columns(['office_id', 'state', 'due_at'])
    .execute()
}

/* Sessions stay for ever: only those that still have tokens are looked at. */
async function markSessionsWithoutTokens(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('tokens_deleted_at', columnsOf(dialect).instant)
    .execute()
  await sql`update sessions set tokens_deleted_at = coalesce(ended_at, expires_at)
    where not exists (select * from session_tokens where session_id = sessions.id)`.execute(db)
  for (const end of ['ended_at', 'expires_at'])
    await db.schema
      .createIndex(`sessions_over_by_${end}`)
      .on('sessions')
      .columns(['tokens_deleted_at', end])
      .execute()
}
