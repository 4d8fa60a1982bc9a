import type { Kysely } from 'kysely'

/** Where the visible signatures of a document that arrived signed shall stand. */
export async function addStampChoices(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('documents').addColumn('stamp_choice', 'text').execute()
}
