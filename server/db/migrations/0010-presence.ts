import type { Kysely } from 'kysely'
import { makeAppendOnly } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** Proofs of presence: the challenge, and the answer of the signer's second factor. */
export async function createPresence(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .alterTable('offices')
    .addColumn('presence_policy', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()

  await db.schema
    .createTable('presence_challenges')
    .addColumn('challenge', 'text', (c) => c.primaryKey().notNull())
    .addColumn('nonce', bytes, (c) => c.notNull())
    .addColumn('list', bytes, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await db.schema
    .createTable('presence_proofs')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('list', bytes, (c) => c.notNull())
    .addColumn('list_sha256', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    // Unique, so that a challenge proves presence once even if the table of used challenges is tampered with.
    .addColumn('nonce', bytes)
    .addColumn('challenge', 'text', (c) => c.unique())
    .addColumn('rp_id', 'text')
    .addColumn('origin', 'text')
    .addColumn('credential_id', 'text')
    .addColumn('public_key', bytes)
    .addColumn('counter_before', count)
    .addColumn('client_data', bytes)
    .addColumn('authenticator_data', bytes)
    .addColumn('signature', bytes)
    .addColumn('factor_id', 'text')
    .addColumn('time_step', count)
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('presence_proofs_by_user')
    .on('presence_proofs')
    .columns(['user_id', 'expires_at'])
    .execute()

  await db.schema
    .createTable('presence_proof_documents')
    .addColumn('proof_id', 'text', (c) => c.notNull().references('presence_proofs.id'))
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addPrimaryKeyConstraint('presence_proof_documents_key', ['document_id', 'proof_id'])
    .modifyEnd(tableOptions)
    .execute()

  await makeAppendOnly(db, dialect, 'presence_proofs')
  await makeAppendOnly(db, dialect, 'presence_proof_documents')
}
