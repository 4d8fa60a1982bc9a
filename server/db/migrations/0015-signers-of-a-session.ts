import type { Kysely } from 'kysely'

/** Every signature looks up the signers of its session. */
export async function indexSignersOfASession(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('signers_by_session')
    .on('signers')
    .columns(['signing_session_id', 'place'])
    .execute()
}
