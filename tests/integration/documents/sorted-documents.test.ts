import { expect, test } from 'vitest'
import { insertDocument, replaceDescription } from '#server/db/documents/documents.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentOrder } from '#server/domain/documents/document-list.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { instantOf } from '#server/domain/time.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { listAwaited } from '#server/features/documents/list/list-awaited.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list/list-documents.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Archive = { office: Office; author: User; clerk: Person; documents: Document[] }

/** @param stored oldest first */
async function anArchive(
  system: TestSystem,
  stored: readonly Partial<Document>[],
  number = 230,
): Promise<Archive> {
  const office = await storedOffice(system.db, { number })
  const author = await storedUser(system.db, office, ['CLERK'])
  const documents = stored.map((changes, at) =>
    aDocument(author, {
      ...{ folio: folioOf(2026, at + 1), createdAt: instantOf(MORNING + at) },
      ...changes,
    }),
  )
  await system.db.transaction(async (trx) => {
    for (const document of documents) await insertDocument(trx, document)
  })
  return { office, author, clerk: asPerson(author), documents }
}

/** A session of these documents, which this user signs first. */
async function heldBy(
  system: TestSystem,
  { author }: Archive,
  documents: readonly Document[],
  signer: User,
): Promise<string> {
  const session = aSession(author, { state: 'open' })
  const held = documents.map(({ id }) => ({
    ...{ id, completedVersion: null, baseVersion: 1, fields: [] },
  }))
  await system.db.transaction(async (trx) => {
    await insertSigningSession(trx, session, held)
    await insertSigners(trx, [
      aSigner(session, 1, { userId: signer.id, name: 'Íñigo Arizmendi' }),
      aSigner(session, 2, { step: 2, name: 'Luz Paz' }),
    ])
  })
  return session.id
}

const list = (system: TestSystem, actor: Person, asked: object) =>
  listDocuments(system, actor, ListDocuments.parse(asked))

/** The titles of all pages. */
async function titlesIn(system: TestSystem, actor: Person, asked: object): Promise<string[]> {
  const titles: string[] = []
  let behind: string | undefined
  do {
    const page = await list(system, actor, { ...asked, behind })
    titles.push(...page.documents.map(({ title }) => title))
    behind = page.next
  } while (behind)
  return titles
}

const CASES: [order: DocumentOrder, titles: string[]][] = [
  ['newest', ['acta 10', 'Árbol', 'Acta 9', 'Zeta']],
  ['oldest', ['Zeta', 'Acta 9', 'Árbol', 'acta 10']],
  ['changed', ['Zeta', 'acta 10', 'Árbol', 'Acta 9']],
  ['title', ['Acta 9', 'acta 10', 'Árbol', 'Zeta']],
]

onEachSystem('orders of the list of documents', (current) => {
  test.each(CASES)('%s: all documents, and those of a state', async (order, titles) => {
    const system = current()
    const { clerk } = await anArchive(system, [
      { title: 'Zeta', stateSince: instantOf(MORNING + 100) },
      ...['Acta 9', 'Árbol', 'acta 10'].map((title, at) => ({
        ...{ title, state: 'signed' as const, stateSince: instantOf(MORNING + 10 + at) },
      })),
    ])
    expect(await titlesIn(system, clerk, { order })).toEqual(titles)
    expect(await titlesIn(system, clerk, { order, state: 'signed' })).toEqual(
      titles.filter((title) => title !== 'Zeta'),
    )
  })

  test.each(CASES)('%s: pages follow each other, each document once', async (order) => {
    const system = current()
    // Many share a title and an instant: a page must not break between them.
    const stored = Array.from({ length: 130 }, (_, at) => ({
      ...{ title: `Acta ${at % 3}`, stateSince: instantOf(MORNING + (at % 2)) },
      ...({ createdAt: instantOf(MORNING + (at % 5)), kind: at % 13 ? 'act' : 'will' } as const),
    }))
    const { clerk } = await anArchive(system, stored)
    for (const [asked, count] of [
      [{}, 130],
      [{ kind: 'act' }, 120],
      [{ kind: 'act', state: 'draft', from: '2020-01-01' }, 120],
    ] as const) {
      const ids: string[] = []
      let behind: string | undefined
      do {
        const page = await list(system, clerk, { order, ...asked, behind })
        ids.push(...page.documents.map(({ id }) => id))
        behind = page.next
      } while (behind)
      expect([asked, ids.length, new Set(ids).size]).toEqual([asked, count, count])
    }
  })

  test('title: a changed title moves the document', async () => {
    const system = current()
    const { clerk, documents } = await anArchive(system, [{ title: 'Acta' }, { title: 'Beta' }])
    const [first] = documents
    if (!first) throw new Error('two were stored')
    await system.db.transaction((trx) =>
      replaceDescription(trx, first, { ...first, title: 'Zeta' }),
    )
    expect(await titlesIn(system, clerk, { order: 'title' })).toEqual(['Beta', 'Zeta'])
  })

  test('title: a document of another office is no place to go on from', async () => {
    const system = current()
    const other = await anArchive(system, [{ title: 'Medio' }], 231)
    const { clerk } = await anArchive(system, [{ title: 'Acta' }, { title: 'Zeta' }])
    const [foreign] = other.documents
    expect(await titlesIn(system, clerk, { order: 'title' })).toEqual(['Acta', 'Zeta'])
    const page = await list(system, clerk, { order: 'title', behind: foreign?.id })
    expect(page.documents.map(({ title }) => title)).toEqual(['Acta', 'Zeta'])
  })

  test('a cursor of another order is ignored', async () => {
    const system = current()
    const { clerk, documents } = await anArchive(system, [{ title: 'Acta' }, { title: 'Zeta' }])
    const behind = `${MORNING}.${documents[0]?.id}`
    const page = await list(system, clerk, { order: 'title', behind })
    expect(page.documents.map(({ title }) => title)).toEqual(['Acta', 'Zeta'])
  })

  test('signer and session: only their documents, in each order and in a search', async () => {
    const system = current()
    const archive = await anArchive(
      system,
      ['Zeta', 'Acta', 'Beta', 'Otra'].map((title) => ({ title })),
    )
    const { author, clerk, documents } = archive
    const [zeta, acta, beta] = documents
    if (!zeta || !acta || !beta) throw new Error('three were stored')
    const notary = await storedUser(system.db, archive.office, ['NOTARY'])
    const signingSession = await heldBy(system, archive, [zeta, acta], notary)
    await heldBy(system, archive, [beta], author)
    await indexDocuments(system)
    for (const asked of [
      { signer: notary.id },
      { signingSession },
      { signer: notary.id, signingSession },
    ]) {
      expect(await titlesIn(system, clerk, asked)).toEqual(['Acta', 'Zeta'])
      expect(await titlesIn(system, clerk, { ...asked, order: 'oldest' })).toEqual(['Zeta', 'Acta'])
      expect(await titlesIn(system, clerk, { ...asked, order: 'title' })).toEqual(['Acta', 'Zeta'])
      expect(await titlesIn(system, clerk, { ...asked, text: 'zeta' })).toEqual(['Zeta'])
      expect(await titlesIn(system, clerk, { ...asked, text: 'beta' })).toEqual([])
      expect(await titlesIn(system, clerk, { ...asked, state: 'signed' })).toEqual([])
    }
  })

  test('session: a session of another office shows nothing', async () => {
    const system = current()
    const other = await anArchive(system, [{ title: 'Ajena' }], 231)
    const signingSession = await heldBy(system, other, other.documents, other.author)
    const { clerk } = await anArchive(system, [{ title: 'Acta' }])
    expect(await titlesIn(system, clerk, { signingSession })).toEqual([])
    expect(await titlesIn(system, clerk, { signer: other.author.id })).toEqual([])
  })

  test('awaited: the signers whose turn it is, of documents of the own office', async () => {
    const system = current()
    const archive = await anArchive(system, [{ title: 'Acta' }, { title: 'Libre' }])
    const [held, free] = archive.documents
    if (!held || !free) throw new Error('two were stored')
    await heldBy(system, archive, [held], archive.author)
    const documentIds = [held.id, free.id]
    expect(await listAwaited(system, archive.clerk, { documentIds })).toEqual(
      new Map([[held.id, ['Íñigo Arizmendi']]]),
    )
    const other = await anArchive(system, [], 231)
    expect(await listAwaited(system, other.clerk, { documentIds })).toEqual(new Map())
  })
})
