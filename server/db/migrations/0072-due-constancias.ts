import type { Kysely } from 'kysely'

/** The job reads what is due office by office. The earlier index stays: a release that runs beside this one reads by it. */
export async function indexDueConstancias(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('constancias_due_of_office')
    .on('constancias')
    .columns(['office_id', 'state', 'next_attempt_at', 'id'])
    .execute()
}
