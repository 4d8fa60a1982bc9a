import type { Kysely } from 'kysely'

/**
 * As what each signature was made, as JSON. Null in the rows of before: their capacity was not kept, and it is
 * not read back from the text of the signature.
 */
export async function addCharacters(db: Kysely<unknown>): Promise<void> {
  for (const table of ['signatures', 'prepared_signatures'])
    await db.schema.alterTable(table).addColumn('character', 'text').execute()
}
