import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** What the public page shows and offers, and for how many years documents are kept. */
export async function addOfficePolicies(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const [column, usual] of [
    ['public_names', 'masked'],
    ['public_downloads', 'allowed'],
    ['retention_years', '{}'],
  ] as const)
    await db.schema
      .alterTable('offices')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(usual))
      .execute()
  await addMailServers(db, dialect)
}

/** The mail server of an office, as its administrators set it, and an index of the mail that waits for it. */
async function addMailServers(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, bytes, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('mail_servers')
    .addColumn('office_id', 'text', (c) => c.primaryKey().notNull().references('offices.id'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('port', 'integer', (c) => c.notNull())
    .addColumn('security', 'text', (c) => c.notNull())
    .addColumn('username', 'text')
    .addColumn('key_version', 'integer')
    .addColumn('sealed_password', bytes)
    .addColumn('from_name', 'text', (c) => c.notNull())
    .addColumn('from_address', 'text', (c) => c.notNull())
    .addColumn('changed_at', instant, (c) => c.notNull())
    .addColumn('changed_by', 'text', (c) => c.notNull().references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createIndex('outbox_due_of_office')
    .on('outbox')
    .columns(['office_id', 'state', 'next_attempt_at', 'id'])
    .execute()
}
