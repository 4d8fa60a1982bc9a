import { type Kysely, sql } from 'kysely'

/** The texts in which blocked documents are searched had their titles and parties: a job writes them again. */
export async function renewTextsOfBlockedDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into texts_due (document_id)
    select id from documents where blocked_at is not null
      and not exists (select 1 from texts_due where document_id = documents.id)`.execute(db)
}
