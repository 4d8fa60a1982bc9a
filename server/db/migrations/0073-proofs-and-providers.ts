import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** What jobs watch: long-term proofs that end soon, and providers that fail again and again. */
export async function watchProofsAndProviders(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { count, instant, tableOptions } = columnsOf(dialect)
  // `due_at` does not tell what ends, because each attempt moves it.
  await db.schema
    .createIndex('archives_ending')
    .on('archives')
    .columns(['office_id', 'holds_until', 'state_since'])
    .execute()
  await db.schema
    .createTable('provider_failures')
    .addColumn('provider_id', 'text', (c) =>
      c.primaryKey().notNull().references('service_providers.id'),
    )
    .addColumn('failures', count, (c) => c.notNull())
    .addColumn('since', instant, (c) => c.notNull())
    .addColumn('last_at', instant, (c) => c.notNull())
    .modifyEnd(tableOptions)
    .execute()
}
