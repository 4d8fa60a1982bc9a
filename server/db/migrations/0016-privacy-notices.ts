import type { Kysely } from 'kysely'
import { makeAppendOnly } from './append-only.ts'
import { columnsOf, type DialectName } from './columns.ts'

/** Privacy notices for external signers; append-only. */
export async function createPrivacyNotices(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  await db.schema
    .createTable('privacy_notices')
    .addColumn('office_id', 'text', (c) => c.notNull().references('offices.id'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('short', 'text', (c) => c.notNull())
    .addColumn('full', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('at', instant, (c) => c.notNull())
    .addColumn('by_user', 'text', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('privacy_notices_key', ['office_id', 'version'])
    .modifyEnd(tableOptions)
    .execute()
  await makeAppendOnly(db, dialect, 'privacy_notices')
}
