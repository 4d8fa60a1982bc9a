import type { Kysely } from 'kysely'
import { makeAppendOnly } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** Signed checkpoints of the log, and the stored roots of its tree, which avoid reading the whole log again. */
export async function createAuditCheckpoints(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('audit_checkpoints')
    .addColumn('size', count, (c) => c.primaryKey().notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('audit_subtrees')
    .addColumn('leaves', count, (c) => c.notNull())
    .addColumn('position', count, (c) => c.notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_subtrees_key', ['leaves', 'position'])
    .modifyEnd(tableOptions)
    .execute()
  for (const table of ['audit_checkpoints', 'audit_subtrees'])
    await makeAppendOnly(db, dialect, table)
}
