import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** What the public page shows and offers. */
export async function addOfficePolicies(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const [column, usual] of [
    ['public_names', 'masked'],
    ['public_downloads', 'allowed'],
  ] as const)
    await db.schema
      .alterTable('offices')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(usual))
      .execute()
  await addOfficeState(db, dialect)
  await addMailServers(db, dialect)
  await addCapacityDocuments(db, dialect)
}

/** Whether the operator suspended an office, since when and why. */
async function addOfficeState(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  await db.schema
    .alterTable('offices')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('active'))
    .execute()
  await db.schema
    .alterTable('offices')
    .addColumn('state_since', columnsOf(dialect).instant)
    .execute()
  await db.schema.alterTable('offices').addColumn('state_reason', 'text').execute()
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

/** The notary that a substitute stands in for, and the files that support a capacity. */
async function addCapacityDocuments(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count, tableOptions } = columnsOf(dialect)
  await db.schema.alterTable('users').addColumn('capacity_of', 'text').execute()
  await db.schema
    .createTable('capacity_documents')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('capacity', 'text', (c) => c.notNull())
    .addColumn('capacity_of', 'text')
    .addColumn('capacity_from', instant)
    .addColumn('capacity_to', instant)
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('bytes', count, (c) => c.notNull())
    .addColumn('file_name', 'text', (c) => c.notNull())
    .addColumn('added_at', instant, (c) => c.notNull())
    .addColumn('added_by', 'text', (c) => c.notNull().references('users.id'))
    .modifyEnd(tableOptions)
    .execute()
  for (const [name, columns] of [
    ['capacity_documents_of_user', ['user_id', 'added_at']],
    ['capacity_documents_of_file', ['office_id', 'sha256']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('capacity_documents')
      .columns([...columns])
      .execute()
}
