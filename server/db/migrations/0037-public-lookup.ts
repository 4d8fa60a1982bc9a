import type { Kysely } from 'kysely'
import { columnsOf, type DialectName } from './columns.ts'

/** Whether the public finds a document. Wills of earlier releases are off, like those of this one. */
export async function addPublicLookup(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const { instant } = columnsOf(dialect)
  const { schema } = db
  await schema
    .alterTable('documents')
    .addColumn('public_lookup', 'text', (c) => c.notNull().defaultTo('on'))
    .execute()
  // Null: since the document exists.
  await schema.alterTable('documents').addColumn('public_lookup_since', instant).execute()
  // Null: kind and act decide.
  await schema
    .alterTable('documents')
    .addColumn('public_lookup_by', 'text', (c) => c.references('users.id'))
    .execute()
  await switchOffWills(db as Kysely<Documents>)
}

type Documents = {
  documents: {
    id: string
    title: string
    instrument: string | null
    search_text: string
    public_lookup: string
  }
}

const WILL = /\b(?:testamentos?|codicilos?)\b/

async function switchOffWills(db: Kysely<Documents>): Promise<void> {
  const named = await db
    .selectFrom('documents')
    .select(['id', 'title', 'instrument'])
    .where(({ or, eb }) =>
      or([eb('search_text', 'like', '%testamento%'), eb('search_text', 'like', '%codicilo%')]),
    )
    .execute()
  for (const { id, title, instrument } of named)
    if (WILL.test(folded(actsIn(instrument) ?? title)))
      await db.updateTable('documents').set({ public_lookup: 'off' }).where('id', '=', id).execute()
}

const actsIn = (instrument: string | null): string | null =>
  instrument === null ? null : JSON.parse(instrument).acts

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
