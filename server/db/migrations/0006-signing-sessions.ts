import { type Kysely, sql } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Signing sessions of users and external signers. */
export async function createSigningSessions(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db

  await schema
    .createTable('signing_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('message', 'text')
    .addColumn('deadline', instant)
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .addColumn('state_reason', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull().references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('signing_sessions_newest')
    .on('signing_sessions')
    .columns(['office_id', 'created_at', 'id'])
    .execute()
  await schema
    .createIndex('signing_sessions_by_deadline')
    .on('signing_sessions')
    .columns(['state', 'deadline'])
    .execute()

  await schema
    .createTable('session_documents')
    .addColumn('signing_session_id', 'text', (c) => c.notNull().references('signing_sessions.id'))
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('base_version', 'integer')
    .addColumn('fields', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('session_documents_key', ['signing_session_id', 'document_id'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('session_documents_by_document')
    .on('session_documents')
    .column('document_id')
    .execute()

  await schema
    .createTable('signers')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('signing_session_id', 'text', (c) => c.notNull().references('signing_sessions.id'))
    .addColumn('place', 'integer', (c) => c.notNull())
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('rfc', 'text', (c) => c.notNull())
    .addColumn('character', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('state_reason', 'text')
    .addColumn('replaced_by', 'text', (c) => c.references('signers.id'))
    .addColumn('reminded_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await schema.createIndex('signers_by_user').on('signers').columns(['user_id', 'state']).execute()

  await schema
    .createTable('signing_links')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('signer_id', 'text', (c) => c.notNull().references('signers.id'))
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.unique())
    .addColumn('opened_at', instant)
    .addColumn('consented_at', instant)
    .addColumn('consent_text', 'text')
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('signing_links_by_signer')
    .on('signing_links')
    .columns(['signer_id', 'state'])
    .execute()

  await admitExternalSigners(db)
}

/* Signatures of external signers have a signer instead of a user. */
async function admitExternalSigners(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['documents', 'state_by'],
    ['document_versions', 'by_user'],
    ['signatures', 'signer_id'],
    ['prepared_signatures', 'user_id'],
  ] as const)
    await sql`alter table ${sql.table(table)} alter column ${sql.id(column)} drop not null`.execute(
      db,
    )
  for (const table of ['document_versions', 'signatures', 'prepared_signatures'])
    await db.schema
      .alterTable(table)
      .addColumn('session_signer_id', 'text', (c) => c.references('signers.id'))
      .execute()
  await db.schema
    .createIndex('signatures_by_session_signer')
    .on('signatures')
    .column('session_signer_id')
    .execute()
}
