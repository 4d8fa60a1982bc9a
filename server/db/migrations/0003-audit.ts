import type { Kysely } from 'kysely'
import { makeAppendOnly } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

export async function createAudit(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { bytes, count, instant, tableOptions } = columnsOf(dialect)
  const { schema } = db

  await schema
    .createTable('audit_events')
    .addColumn('seq', count, (c) => c.primaryKey().notNull())
    .addColumn('office_id', 'text', (c) => c.references('offices.id'))
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject_kind', 'text', (c) => c.notNull())
    .addColumn('subject_id', 'text')
    .addColumn('canonical', bytes, (c) => c.notNull())
    .addColumn('leaf_hash', 'text', (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
  for (const column of ['office_id', 'actor', 'action', 'subject_id'])
    await schema
      .createIndex(`audit_events_by_${column}`)
      .on('audit_events')
      .columns([column, 'seq'])
      .execute()
  await makeAppendOnly(db, dialect, 'audit_events')
}
