import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/**
 * What a provider charges for a constancia, as the office knows it, and what each constancia cost when it was issued. Reports read
 * them by the time of the request.
 */
export async function addCostOfConstancias(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { count } = columnsOf(dialect)
  for (const table of ['service_providers', 'constancias'])
    await db.schema.alterTable(table).addColumn('cost_cents', count).execute()
  await db.schema
    .createIndex('constancias_requested')
    .on('constancias')
    .columns(['office_id', 'requested_at', 'id'])
    .execute()
}
