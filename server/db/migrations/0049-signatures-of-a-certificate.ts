import type { Kysely } from 'kysely'

/** The page of a certificate lists what was signed with it, the newest first. */
export async function indexSignaturesOfACertificate(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('signatures_of_certificate')
    .on('signatures')
    .columns(['certificate_id', 'signed_at', 'id'])
    .execute()
}
