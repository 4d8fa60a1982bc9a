import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** The certificates of a user, of which the last one to end counts, and how users get alerts by mail. */
export async function watchEndings(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .createIndex('certificates_of_user')
    .on('certificates')
    .columns(['user_id', 'not_after'])
    .execute()
  await schema
    .createTable('alert_preferences')
    .addColumn('user_id', 'text', (c) => c.primaryKey().notNull().references('users.id'))
    .addColumn('mail', 'text', (c) => c.notNull())
    .addColumn('since', instant, (c) => c.notNull())
    .addColumn('digested_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
