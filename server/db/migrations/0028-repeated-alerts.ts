import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** How often the matter of an alert has occurred, since when, and when it was last mailed. */
export async function countOccurrences(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, count } = columnsOf(dialect)
  const { schema } = db
  const alerts = () => schema.alterTable('alerts')
  await alerts()
    .addColumn('occurrences', count, (c) => c.notNull().defaultTo(1))
    .execute()
  // Null for alerts of earlier releases, which occurred once.
  await alerts().addColumn('first_at', instant).execute()
  // Null if it was not mailed, and for alerts of earlier releases.
  await alerts().addColumn('mailed_at', instant).execute()
  await schema
    .createIndex('alerts_by_user_and_kind')
    .on('alerts')
    .columns(['user_id', 'kind', 'mailed_at'])
    .execute()
}
