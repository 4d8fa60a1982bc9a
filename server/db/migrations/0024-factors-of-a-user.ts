import type { Kysely } from 'kysely'

/**
 * Every request of a signed-in person asks for the person's factors. The older indexes hold only rows of one state,
 * and no statement with that state as a parameter uses them: each request read the factors of all.
 */
export async function indexFactorsOfAUser(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('totp_factors_by_user')
    .on('totp_factors')
    .columns(['user_id', 'state'])
    .execute()
}
