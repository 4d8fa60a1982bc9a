import type { Kysely } from 'kysely'

/**
 * Every signature checks whether a signer signed this document, and counts the others. An index on the signer
 * alone would read all of the signer's rows in the session, including their long reports.
 */
export async function indexSignaturesOfASigner(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('signatures_by_session_signer').execute()
  await db.schema
    .createIndex('signatures_by_session_signer')
    .on('signatures')
    .columns(['session_signer_id', 'document_id'])
    .execute()
}
