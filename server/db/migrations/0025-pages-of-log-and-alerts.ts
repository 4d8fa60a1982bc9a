import { type Kysely, sql } from 'kysely'
import type { DialectName } from './columns.ts'

/** One index for each list of events that pages ask for, in the order in which they show it. */
const LISTS_OF_EVENTS = {
  audit_events_by_time: [],
  audit_events_by_actor: ['actor'],
  audit_events_by_action: ['action'],
  audit_events_by_actor_and_action: ['actor', 'action'],
}
const REPLACED = ['audit_events_by_office_id', 'audit_events_by_actor', 'audit_events_by_action']

/**
 * A page of the log with a filter sorted all events of the filter, and every page of the dashboard counted all alerts
 * of the office.
 */
export async function indexPagesOfLogAndAlerts(
  db: Kysely<unknown>,
  dialect: DialectName,
): Promise<void> {
  const { schema } = db
  for (const index of REPLACED) await schema.dropIndex(index).execute()
  for (const [name, columns] of Object.entries(LISTS_OF_EVENTS))
    await schema
      .createIndex(name)
      .on('audit_events')
      .columns(['office_id', ...columns, 'at', 'seq'])
      .execute()

  await schema.dropIndex('alerts_by_office').execute()
  await schema
    .createIndex('alerts_inbox')
    .on('alerts')
    .columns(['office_id', 'user_id', 'state', 'at', 'id'])
    .execute()
  // Occasions are found by their prefix: a range in the order of bytes, which SQLite has anyway.
  if (dialect === 'postgres')
    await sql`alter table alerts alter column occasion type text collate "C"`.execute(db)
}
