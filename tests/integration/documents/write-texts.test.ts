import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import { findSimilarWords } from '#server/db/documents/search-words.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { parseInstant } from '#server/domain/time.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { recorded } from '#tests/support/recorded-database.ts'

/** The texts of documents that were stored and have none yet. */
const textsOf = async (db: Database, documents: readonly Document[]) => {
  await db.transaction(async (trx) => {
    for (const document of documents) await insertDocument(trx, document)
  })
  const due = async () => (await db.selectFrom('texts_due').select('document_id').execute()).length
  expect(await due()).toBe(documents.length)
  await db.transaction((trx) =>
    writeTexts(
      trx,
      documents.map(({ id }) => id),
    ),
  )
  expect(await due()).toBe(0)
  const rows = await db.selectFrom('document_texts').select(['document_id', 'text']).execute()
  return documents.map(({ id }) => rows.find((row) => row.document_id === id)?.text)
}

onEachDatabase('texts of documents', (current) => {
  test('are written at once, with the day where the office is, and are not due any more', async () => {
    const { db } = current()
    const createdAt = parseInstant('2026-11-21T07:30:00Z')
    const texts: (string | undefined)[] = []
    for (const [number, timeZone] of [
      [1, 'America/Mexico_City'],
      [2, 'America/Tijuana'],
    ] as const) {
      const author = await storedUser(db, await storedOffice(db, { number, timeZone }))
      texts.push(...(await textsOf(db, [aDocument(author, { title: 'Poder', createdAt })])))
    }
    expect(texts[0]).toContain(' poder ')
    expect(texts.map((text) => / 2026 11 (\d+) /.exec(text ?? '')?.[1])).toEqual(['21', '20'])
  })

  test('each word of each document can be found with a wrong letter', async () => {
    const { db } = current()
    const office = await storedOffice(db)
    const author = await storedUser(db, office)
    await textsOf(
      db,
      ['Arizmendi', 'Benavides'].map((title, at) =>
        aDocument(author, { title, folio: `2026-00000${at}` }),
      ),
    )
    expect(await findSimilarWords(db, office.id, 'arismendi')).toEqual(['arizmendi'])
    expect(await findSimilarWords(db, office.id, 'benabides')).toEqual(['benavides'])
  })

  test('words are locked in the order of their offices, against waiting in a circle', async () => {
    const { db, take } = recorded(current().db)
    const offices = [1, 2, 3, 4, 5].map((number) => storedOffice(db, { number }))
    const authors = await Promise.all(
      (await Promise.all(offices)).map((office) => storedUser(db, office)),
    )
    const documents = authors.map((author) => aDocument(author))
    const descending = documents.toSorted((a, b) => (a.officeId < b.officeId ? 1 : -1))
    await textsOf(db, descending)
    const ids = new Set<unknown>(authors.map(({ officeId }) => officeId))
    const locked = take()
      .filter(({ sql }) => /^insert into "search_words"/.test(sql))
      .map(({ parameters }) => parameters.find((one) => ids.has(one)))
    expect([...new Set(locked)]).toEqual([...ids].toSorted())
  })
})
