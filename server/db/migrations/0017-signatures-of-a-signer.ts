import type { Kysely } from 'kysely'

/**
 * Every signature asks whether a signer signed this document, and how many of the others: by the signer alone
 * both read all that the signer signed in the session, the long reports with it.
 */
export async function indexSignaturesOfASigner(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('signatures_by_session_signer').execute()
  await db.schema
    .createIndex('signatures_by_session_signer')
    .on('signatures')
    .columns(['session_signer_id', 'document_id'])
    .execute()
}
