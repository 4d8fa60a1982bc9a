import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/db/database.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'

onEachDatabase('measured queries', (current) => {
  test('are named by their kind and their first table, never by a value', async () => {
    const office = await storedOffice(current().db)
    const names: string[] = []
    const db = openDatabase(current().url, undefined, (what, took) => {
      expect(took).toBeGreaterThanOrEqual(0)
      names.push(what)
    })
    try {
      await db
        .selectFrom('documents')
        .innerJoin('document_versions', 'document_versions.document_id', 'documents.id')
        .select('documents.id')
        .where('title', '=', 'Poder de Ana')
        .execute()
      await db.transaction(async (trx) => {
        await trx.insertInto('search_words').values({ office_id: office.id, word: 'ana' }).execute()
        await trx.updateTable('users').set({ first_name: 'Ana' }).where('id', '=', 'a').execute()
        await trx.deleteFrom('outbox').where('id', '=', 'a').execute()
        await sql`select 1`.execute(trx)
      })
    } finally {
      await db.close()
    }
    expect(names.filter((name) => name !== 'other')).toEqual([
      'select documents',
      'insert search_words',
      'update users',
      'delete outbox',
    ])
    expect(names).toContain('other')
  })
})
