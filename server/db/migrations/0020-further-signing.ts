import type { Kysely } from 'kysely'

/** The complete version of a document to which a session was made to add signatures. */
export async function addCompletedVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('session_documents')
    .addColumn('completed_version', 'integer')
    .execute()
}
