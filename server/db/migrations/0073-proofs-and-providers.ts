import type { Kysely } from 'kysely'

/** A job looks for long-term proofs that end soon, office by office: `due_at` does not tell it, because each attempt moves it. */
export async function watchProofsAndProviders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('archives_ending')
    .on('archives')
    .columns(['office_id', 'holds_until', 'state_since'])
    .execute()
}
