import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Constancias de conservación, one per file, and the office's policy for them. */
export async function createConstancias(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .alterTable('offices')
    .addColumn('constancia_policy', 'text', (c) => c.notNull().defaultTo('none'))
    .execute()

  await db.schema
    .createTable('constancias')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('requested_at', instant, (c) => c.notNull())
    // Null for the office's policy.
    .addColumn('requested_by', 'text', (c) => c.references('users.id'))
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at', instant)
    .addColumn('last_error', 'text')
    .addColumn('provider_id', 'text', (c) => c.references('service_providers.id'))
    .addColumn('request', bytes)
    .addColumn('answer', bytes)
    .addColumn('time', instant)
    .addColumn('policy', 'text')
    .addColumn('authority', 'text')
    .addColumn('issued_at', instant)
    // Each costs money: one per file.
    .addUniqueConstraint('constancias_file', ['document_id', 'version'])
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('constancias_due')
    .on('constancias')
    .columns(['state', 'next_attempt_at'])
    .execute()
}
