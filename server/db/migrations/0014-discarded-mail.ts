import type { Kysely } from 'kysely'

/** Why a mail is not sent any more; unknown of what was discarded before. */
export async function createDiscardReasons(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('discarded_because', 'text').execute()
}
