import type { Kysely } from 'kysely'
import { makeAppendOnly } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** What our verifier says about uploaded files, and what signers acknowledged; the latter is append-only. */
export async function createUploadJudgements(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('upload_judgements')
    .addColumn('document_id', 'text', (c) => c.primaryKey().notNull().references('documents.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('edition', 'integer', (c) => c.notNull())
    .addColumn('trust_fingerprint', 'text')
    .addColumn('verdict', 'text')
    .addColumn('headline', 'text')
    .addColumn('findings', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('next_try', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('upload_judgements_by_edition')
    .on('upload_judgements')
    .columns(['edition', 'next_try', 'document_id'])
    .execute()
  await db.schema
    .createTable('acknowledgements')
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('judgement', 'text', (c) => c.notNull())
    .addColumn('acknowledged_by', 'text', (c) => c.notNull())
    .addColumn('statements', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('session_signer_id', 'text')
    .addColumn('verdict', 'text', (c) => c.notNull())
    .addColumn('sentence', 'text', (c) => c.notNull())
    .addColumn('findings', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('acknowledgements_key', [
      'document_id',
      'judgement',
      'acknowledged_by',
      'statements',
    ])
    .modifyEnd(tableOptions)
    .execute()
  await makeAppendOnly(db, dialect, 'acknowledgements')
}
