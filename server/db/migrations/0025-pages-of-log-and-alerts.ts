import type { Kysely } from 'kysely'

/** One index for each list of events that pages ask for, in the order in which they show it. */
const LISTS_OF_EVENTS = {
  audit_events_by_time: [],
  audit_events_by_actor: ['actor'],
  audit_events_by_action: ['action'],
  audit_events_by_actor_and_action: ['actor', 'action'],
}
const REPLACED = ['audit_events_by_office_id', 'audit_events_by_actor', 'audit_events_by_action']

/** A page of the log with a filter sorted all events of the filter. */
export async function indexPagesOfLogAndAlerts({ schema }: Kysely<unknown>): Promise<void> {
  for (const index of REPLACED) await schema.dropIndex(index).execute()
  for (const [name, columns] of Object.entries(LISTS_OF_EVENTS))
    await schema
      .createIndex(name)
      .on('audit_events')
      .columns(['office_id', ...columns, 'at', 'seq'])
      .execute()
}
