import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The outbox. */
export async function createMail(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('to_name', 'text', (c) => c.notNull())
    .addColumn('to_address', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    // Null if the body is sealed; the sealed body becomes null when its link is over.
    .addColumn('text', 'text')
    .addColumn('html', 'text')
    .addColumn('key_version', 'integer')
    .addColumn('sealed_body', bytes)
    .addColumn('document_id', 'text', (c) => c.references('documents.id'))
    .addColumn('version', 'integer')
    .addColumn('about', 'text')
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant, (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at', instant, (c) => c.notNull())
    .addColumn('leased_until', instant)
    .addColumn('last_error', 'text')
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('outbox_due')
    .on('outbox')
    .columns(['state', 'next_attempt_at', 'id'])
    .execute()
  await db.schema
    .createIndex('outbox_newest')
    .on('outbox')
    .columns(['office_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('outbox_about').on('outbox').column('about').execute()
}
