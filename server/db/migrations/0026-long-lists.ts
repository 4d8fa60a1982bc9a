import type { Kysely } from 'kysely'

/** A page of a list reads its own rows and no others. */
export async function indexLongLists(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('certificates_by_end')
    .on('certificates')
    .columns(['office_id', 'not_after', 'id'])
    .execute()
  await db.schema
    .createIndex('outbox_by_state')
    .on('outbox')
    .columns(['office_id', 'state', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('signing_sessions_due')
    .on('signing_sessions')
    .columns(['office_id', 'state', 'deadline'])
    .execute()
}
