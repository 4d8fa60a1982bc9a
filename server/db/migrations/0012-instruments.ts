import type { Kysely } from 'kysely'

/** Under what the protocol of the office holds a document, as JSON. */
export async function createInstruments(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('documents').addColumn('instrument', 'text').execute()
}
