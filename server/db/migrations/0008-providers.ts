import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Providers of timestamps and constancias, and the state of long-term proofs. */
export async function createProviders(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .alterTable('offices')
    .addColumn('timestamp_policy', 'text', (c) => c.notNull().defaultTo('later'))
    .execute()

  await db.schema
    .createTable('service_providers')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('username', 'text')
    .addColumn('key_version', 'integer')
    .addColumn('sealed_password', bytes)
    .addColumn('policy', 'text')
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    // Null for the demo.
    .addColumn('state_by', 'text', (c) => c.references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('service_providers_in_order')
    .on('service_providers')
    .columns(['office_id', 'kind', 'state', 'position'])
    .execute()

  await db.schema
    .createTable('archives')
    .addColumn('document_id', 'text', (c) => c.primaryKey().notNull().references('documents.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_since', instant, (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', instant, (c) => c.notNull())
    .addColumn('holds_until', instant)
    .addColumn('fault', 'text')
    .modifyEnd(tableOptions)
    .execute()
  await db.schema.createIndex('archives_due').on('archives').columns(['state', 'due_at']).execute()
}
