import type { Kysely } from 'kysely'

/** The protocol's instrument of a document, as JSON. */
export async function createInstruments(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('documents').addColumn('instrument', 'text').execute()
}
