import type { Kysely } from 'kysely'
import { makeAppendOnly, refuseReplacement } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** The copies of documents that an office issued, and those of them that were recorded by mistake. */
export async function createIssuedCopies(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createTable('issued_copies')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('ordinal', 'integer', (c) => c.notNull())
    .addColumn('part', 'text')
    .addColumn('recipient_name', 'text', (c) => c.notNull())
    .addColumn('recipient_rfc', 'text')
    .addColumn('recipient_character', 'text')
    // Null for an electronic copy.
    .addColumn('sheets', 'integer')
    .addColumn('issued_on', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addUniqueConstraint('issued_copies_ordinal', ['document_id', 'kind', 'ordinal'])
    .modifyEnd(tableOptions)
    .execute()
  await schema
    .createIndex('issued_copies_newest')
    .on('issued_copies')
    .columns(['document_id', 'at', 'id'])
    .execute()
  await schema
    .createTable('copy_cancellations')
    .addColumn('copy_id', 'text', (c) => c.primaryKey().notNull().references('issued_copies.id'))
    .addColumn('cancelled_at', instant, (c) => c.notNull())
    .addColumn('cancelled_by', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('reason', 'text', (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  for (const table of ['issued_copies', 'copy_cancellations']) {
    await makeAppendOnly(db, dialect, table)
    await refuseReplacement(db, dialect, table, 'fails')
  }
}
