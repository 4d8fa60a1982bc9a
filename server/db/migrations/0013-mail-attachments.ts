import { type Kysely, sql } from 'kysely'

/** Attachments of a mail as JSON: document ids and versions. */
export async function createMailAttachments(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('attachments', 'text').execute()
  await sql`update outbox set attachments = '[{"documentId":"' || document_id || '","version":' || cast(version as text) || '}]' where document_id is not null`.execute(
    db,
  )
  for (const column of ['document_id', 'version'])
    await db.schema.alterTable('outbox').dropColumn(column).execute()
}
