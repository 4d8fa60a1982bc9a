import type { Kysely } from 'kysely'

/**
 * The indexes of lists of documents have kind and author, too: a filter compares them there, without the rows. They
 * come last, so that lists without a filter read the same entries as before.
 */
export async function indexFilteredDocuments(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of INDEXES) {
    await db.schema.dropIndex(name).execute()
    await db.schema.createIndex(name).on('documents').columns(columns).execute()
  }
}

const INDEXES: readonly (readonly [name: string, columns: string[]])[] = [
  ['documents_newest', ['office_id', 'created_at', 'id', 'kind', 'created_by']],
  ['documents_by_state', ['office_id', 'state', 'created_at', 'id', 'kind', 'created_by']],
]
