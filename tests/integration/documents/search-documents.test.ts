import { expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { instantOf } from '#server/domain/time.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list/list-documents.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** The titles, oldest first. */
async function stored(
  system: TestSystem,
  titles: readonly string[],
  changes: Partial<Document> = {},
): Promise<{ author: User; clerk: Person; documents: Document[] }> {
  const author = await storedUser(system.db, await storedOffice(system.db), ['CLERK'])
  const documents = titles.map((title, index) =>
    aDocument(author, {
      ...{ title, folio: folioOf(2026, index + 1), createdAt: instantOf(MORNING + index) },
      ...changes,
    }),
  )
  await system.db.transaction(async (trx) => {
    for (const document of documents) await insertDocument(trx, document)
  })
  return { author, clerk: asPerson(author), documents }
}

const search = (system: TestSystem, actor: Person, text: string, more: object = {}) =>
  listDocuments(system, actor, ListDocuments.parse({ text, ...more }))

const titlesIn = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).documents.map(({ title }) => title)

onEachSystem('search of documents', (current) => {
  test('exact matches come first, then the newest documents', async () => {
    const system = current()
    const titles = ['Escritura 4,521', 'Lote 14521', 'Acta 4521 bis', 'Poder 45210', 'Carta']
    const { clerk } = await stored(system, titles)
    await indexDocuments(system)
    expect(await titlesIn(system, clerk, '4521')).toEqual([
      ...['Acta 4521 bis', 'Escritura 4,521'],
      ...['Poder 45210', 'Lote 14521'],
    ])
  })

  test('pages follow each other, each document once, and exact ones stay first', async () => {
    const system = current()
    const titles = Array.from({ length: 130 }, (_, at) => (at % 2 === 0 ? 'Poder' : 'Poderes'))
    const { clerk } = await stored(system, titles, { createdAt: MORNING })
    await indexDocuments(system)
    const pages = [await search(system, clerk, 'poder')]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await search(system, clerk, 'poder', { behind: next }))
    const all = pages.flatMap(({ documents }) => documents)
    expect(new Set(all.map(({ id }) => id)).size).toBe(130)
    expect(all.map(({ title }) => title)).toEqual(titles.toSorted())
    expect(pages.map(({ documents }) => documents.length)).toEqual([50, 50, 30])
  })

  test('a page that exact matches fill is followed by all others', async () => {
    const system = current()
    const titles = Array.from({ length: 60 }, (_, at) => (at < 50 ? 'Poder' : 'Poderes'))
    const { clerk } = await stored(system, titles)
    await indexDocuments(system)
    const first = await search(system, clerk, 'poder')
    const second = await search(system, clerk, 'poder', { behind: first.next })
    expect([first.documents.length, second.documents.length]).toEqual([50, 10])
    expect(second.next).toBeUndefined()
  })

  test('those of one state are found among many others', async () => {
    const system = current()
    const titles = Array.from({ length: 600 }, () => 'Poder')
    const { author, clerk } = await stored(system, ['Poder rechazado'], { state: 'rejected' })
    await system.db.transaction(async (trx) => {
      for (const [at, title] of titles.entries())
        await insertDocument(
          trx,
          aDocument(author, {
            ...{ title, folio: folioOf(2026, at + 10), createdAt: instantOf(MORNING + 10 + at) },
          }),
        )
    })
    await indexDocuments(system)
    const found = await search(system, clerk, 'poder', { state: 'rejected' })
    expect(found.documents.map(({ title }) => title)).toEqual(['Poder rechazado'])
    expect(found).toMatchObject({ next: undefined, wasCutShort: false })
  })

  test('a wrong letter is forgiven only if nothing has the word as it was written', async () => {
    const system = current()
    const { clerk } = await stored(system, ['Pérez Gómez', 'Peres', 'Casa 45213'])
    await indexDocuments(system)
    expect(await search(system, clerk, 'perez')).toMatchObject({
      areSimilar: false,
      documents: [{ title: 'Pérez Gómez' }],
    })
    expect(await search(system, clerk, 'peerez gomes')).toMatchObject({
      areSimilar: true,
      documents: [{ title: 'Pérez Gómez' }],
      next: undefined,
    })
    expect(await titlesIn(system, clerk, '45214')).toEqual([])
    expect(await titlesIn(system, clerk, 'caza')).toEqual([])
  })

  test('documents are found by those who sign them, once the job ran', async () => {
    const system = current()
    const { author, clerk, documents } = await stored(system, ['Compraventa', 'Otra'])
    await indexDocuments(system)
    const [document] = documents
    if (!document) throw new Error('none was stored')
    const session = aSession(author, { state: 'open' })
    const signer = aSigner(session, 1, { name: 'Íñigo Arizmendi', rfc: 'AIIX800101AB1' })
    const held = { id: document.id, completedVersion: null, baseVersion: 1, fields: [] }
    await system.db.transaction(async (trx) => {
      await insertSigningSession(trx, session, [held])
      await insertSigners(trx, [signer])
    })
    expect(await titlesIn(system, clerk, 'arizmendi')).toEqual([])
    await indexDocuments(system)
    for (const text of ['inigo ARIZMENDI', 'AIIX800101AB1', 'aiix-800101-ab1', 'arismendi'])
      expect([text, await titlesIn(system, clerk, text)]).toEqual([text, ['Compraventa']])
  })

  test('while many texts are still to be written, the answer says so', async () => {
    const system = current()
    const { clerk } = await stored(
      system,
      Array.from({ length: 230 }, () => 'Poder'),
    )
    expect(await search(system, clerk, 'poder')).toMatchObject({ isIncomplete: true })
    await indexDocuments(system)
    expect(await search(system, clerk, 'poder')).toMatchObject({ isIncomplete: false })
  })

  test('nothing of another office is found, nor corrected towards', async () => {
    const system = current()
    await stored(system, ['Arizmendi'])
    await indexDocuments(system)
    const office = await storedOffice(system.db, { number: 13 })
    const other = asPerson(await storedUser(system.db, office))
    for (const text of ['arizmendi', 'arismendi', '2026-000001'])
      expect(await titlesIn(system, other, text)).toEqual([])
  })

  test('the query language of the index is plain text', async () => {
    const system = current()
    const { clerk } = await stored(system, ['Poder "especial" AND NOT x*', 'Poder 100%', 'Poder_1'])
    await indexDocuments(system)
    expect(await titlesIn(system, clerk, '"especial" AND')).toHaveLength(1)
    expect(await titlesIn(system, clerk, 'poder_1')).toEqual(['Poder_1', 'Poder 100%'])
    expect(await titlesIn(system, clerk, '100%')).toEqual(['Poder 100%'])
    for (const text of [
      'NEAR(a b)',
      'text:poder',
      '^poder',
      'OR',
      '(',
      '\\',
      "' or 1=1 --",
      '\u{1f600}',
    ])
      await expect(search(system, clerk, text)).resolves.toBeDefined()
  })

  test('two processes write the texts together, each once', async () => {
    const system = current()
    const titles = Array.from({ length: 90 }, (_, at) => `Acta ${at} de Arizmendi`)
    const { clerk } = await stored(system, titles)
    await Promise.all([indexDocuments(system), indexDocuments(system), indexDocuments(system)])
    const first = await search(system, clerk, 'arizmendi')
    const second = await search(system, clerk, 'arizmendi', { behind: first.next })
    expect([first.documents.length, second.documents.length]).toEqual([50, 40])
  })
})
