import type { Kysely } from 'kysely'
import type { DialectName } from './columns.ts'

/** What the public page shows and offers, and for how many years documents are kept. */
export async function addOfficePolicies(db: Kysely<unknown>, _dialect: DialectName): Promise<void> {
  for (const [column, usual] of [
    ['public_names', 'masked'],
    ['public_downloads', 'allowed'],
    ['retention_years', '{}'],
  ] as const)
    await db.schema
      .alterTable('offices')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(usual))
      .execute()
}
