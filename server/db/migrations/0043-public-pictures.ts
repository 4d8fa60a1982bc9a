import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Whether the public sees pictures of the pages of a document, and what its parties say to it. */
export async function addPublicPictures(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant, tableOptions } = columnsOf(dialect)
  const { schema } = db
  await schema
    .alterTable('documents')
    .addColumn('public_pictures', 'text', (c) => c.notNull().defaultTo('off'))
    .execute()
  // Null: since the document exists.
  await schema.alterTable('documents').addColumn('public_pictures_since', instant).execute()
  await schema
    .alterTable('documents')
    .addColumn('public_pictures_by', 'text', (c) => c.references('users.id'))
    .execute()
  // One row a party: the log has every change.
  await schema
    .createTable('picture_consents')
    .addColumn('document_id', 'text', (c) => c.notNull().references('documents.id'))
    .addColumn('party', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id'))
    .addColumn('session_signer_id', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('since', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('picture_consents_key', ['document_id', 'party'])
    .modifyEnd(tableOptions)
    .execute()
}
