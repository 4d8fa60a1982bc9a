import type { Kysely } from 'kysely'

/** Why a mail was discarded; unknown for earlier rows. */
export async function createDiscardReasons(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('discarded_because', 'text').execute()
}
