import type { Kysely } from 'kysely'

/** Pages of the log are in the order of time; the events about one subject had an index in the order of the log only. */
export async function indexEventsOfASubject(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_events_by_subject_and_time')
    .on('audit_events')
    .columns(['subject_id', 'at', 'seq'])
    .execute()
}
