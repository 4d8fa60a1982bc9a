import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { dayOf } from '#server/domain/day.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { after, minutes } from '#server/domain/time.ts'
import { drawPage, PAGE_PICTURES } from '#server/features/documents/draw-page.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { countDocuments } from '#server/features/documents/list/count-documents.ts'
import { ListDocuments, listDocuments } from '#server/features/documents/list/list-documents.ts'
import { listUploaders } from '#server/features/documents/list/list-uploaders.ts'
import { OpenVersion, openVersion } from '#server/features/documents/open-version.ts'
import { ReadDocument, readDocument } from '#server/features/documents/read-document.ts'
import type { System } from '#server/system.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aDocument, aSignedDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const MOST_PICTURES = PAGE_PICTURES.ofOneOwner ?? 0

async function anArchive(system: TestSystem, titles: readonly string[]): Promise<Person> {
  const author = await storedUser(system.db, await storedOffice(system.db))
  await system.db.transaction(async (trx) => {
    for (const [i, title] of titles.entries())
      await insertDocument(
        trx,
        aDocument(author, {
          title,
          folio: folioOf(2026, i + 1),
          // Pairs at the same instant: the page must not break between them.
          createdAt: MORNING + Math.floor(i / 2),
          state: i % 10 === 0 ? 'signed' : 'draft',
        }),
      )
  })
  await indexDocuments(system)
  return asPerson(author)
}

/** 96 different parts of a page: six widths, sixteen squares. */
const partAt = (index: number) => ({
  width: [160, 640, 800, 1000, 1400, 2000][index % 6],
  region: `4,${Math.floor(index / 6) % 4},${Math.floor(index / 24)}`,
})

const list = (system: TestSystem, actor: Person, input: unknown = {}) =>
  listDocuments(system, actor, ListDocuments.parse(input))

onEachSystem('documents', (current) => {
  test('are listed page by page, the newest first, each once', async () => {
    const system = current()
    const person = await anArchive(
      system,
      Array.from({ length: 120 }, (_, i) => `Acta ${i}`),
    )
    const pages = [await list(system, person)]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next)
      pages.push(await list(system, person, { behind: next }))
    expect(pages.map(({ documents }) => documents.length)).toEqual([50, 50, 20])
    const all = pages.flatMap(({ documents }) => documents)
    expect(new Set(all.map(({ id }) => id)).size).toBe(120)
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a),
    )
    const { counts } = await countDocuments(system, person)
    expect(counts).toEqual({ signed: 12, draft: 108 })
  })

  test('are found by folio and title, without accents and case', async () => {
    const system = current()
    const person = await anArchive(system, ['Donación de Íñigo', 'Poder 100%', 'Poder 1000'])
    const found = async (text: string) =>
      (await list(system, person, { text })).documents.map(({ title }) => title)
    expect(await found('DONACION de inigo')).toEqual(['Donación de Íñigo'])
    expect(await found('2026-000001')).toEqual(['Donación de Íñigo'])
    expect(await found('poder')).toHaveLength(2)
    expect(await found(' inigo  2026-000001 donac ')).toEqual(['Donación de Íñigo'])
    expect(await found('poder 100%')).toEqual(['Poder 100%', 'Poder 1000'])
    expect(await found('poder inigo')).toEqual([])
    expect(await found("'; drop table documents; --")).toEqual([])
  })

  test('are filtered by state', async () => {
    const system = current()
    const person = await anArchive(system, ['uno', 'dos'])
    const { documents } = await list(system, person, { state: 'signed' })
    expect(documents.map(({ title }) => title)).toEqual(['uno'])
  })

  test('are filtered by kind, author and day beside the state, page by page', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const [clerk, lawyer] = [
      await storedUser(system.db, office, ['CLERK']),
      await storedUser(system.db, office, ['LAWYER']),
    ]
    // Every third is a will, every second of the lawyer, every fifth signed; two a minute, over two days.
    const documents = Array.from({ length: 240 }, (_, i) =>
      aDocument(i % 2 === 0 ? lawyer : clerk, {
        ...{ title: `Acto ${i}`, folio: folioOf(2026, i + 1) },
        ...{ kind: i % 3 === 0 ? 'will' : 'letter', state: i % 5 === 0 ? 'signed' : 'draft' },
        createdAt: after(MORNING, minutes(Math.floor(i / 2) * 10)),
      }),
    )
    await system.db.transaction(async (trx) => {
      for (const document of documents) await insertDocument(trx, document)
    })
    await indexDocuments(system)
    const allOf = async (input: object) => {
      const titles = []
      let behind: string | undefined
      do {
        const page = await list(system, asPerson(clerk), { ...input, behind })
        expect(page.wasCutShort).toBe(false)
        titles.push(...page.documents.map(({ title }) => title))
        behind = page.next
      } while (behind)
      return titles.toSorted()
    }
    const dayOfNumber = (i: number) =>
      dayOf(after(MORNING, minutes(Math.floor(i / 2) * 10)), office.timeZone)
    const [from, to] = [dayOfNumber(239), dayOfNumber(0)]
    expect(from > to).toBe(true)
    const filters = {
      kind: ['will', (i: number) => i % 3 === 0],
      by: [lawyer.id, (i: number) => i % 2 === 0],
      state: ['signed', (i: number) => i % 5 === 0],
      from: [from, (i: number) => dayOfNumber(i) >= from],
      to: [to, (i: number) => dayOfNumber(i) <= to],
      text: ['acto', () => true],
    } as const
    const names = Object.keys(filters) as (keyof typeof filters)[]
    for (let some = 0; some < 2 ** names.length; some += 1) {
      const used = names.filter((_, bit) => some & (2 ** bit))
      const input = Object.fromEntries(used.map((name) => [name, filters[name][0]]))
      const wanted = documents.flatMap(({ title }, i) =>
        used.every((name) => filters[name][1](i)) ? title : [],
      )
      expect([input, await allOf(input)]).toEqual([input, wanted.toSorted()])
    }
  })

  test('a filter looks at more documents than it compares at once, and misses none', async () => {
    const system = current()
    const author = await storedUser(system.db, await storedOffice(system.db))
    const wills = [0, 1, 299, 300, 2299]
    await system.db.transaction(async (trx) => {
      for (let i = 0; i < 2300; i += 1)
        await insertDocument(
          trx,
          aDocument(author, {
            ...{ title: `Acto ${i}`, folio: folioOf(2026, i + 1) },
            kind: wills.includes(i) ? 'will' : 'letter',
            // The 2,000 newest end between two documents of the same instant.
            createdAt: MORNING + Math.floor((i + 1) / 2),
          }),
        )
    })
    const { documents, next, wasCutShort } = await list(system, asPerson(author), { kind: 'will' })
    expect(documents.map(({ title }) => title).toSorted()).toEqual(
      wills.map((i) => `Acto ${i}`).toSorted(),
    )
    expect([next, wasCutShort]).toEqual([undefined, false])
  })

  test('authors: all who are or were users of the office, by name', async () => {
    const system = current()
    const office = await storedOffice(system.db)
    const auditor = asPerson(await storedUser(system.db, office, ['AUDITOR'], { lastName: 'Zea' }))
    const former = await storedUser(system.db, office, ['CLERK'], {
      ...{ lastName: 'Abad', state: 'suspended' },
    })
    await storedUser(system.db, await storedOffice(system.db, { number: 13 }))
    const authors = await listUploaders(system, auditor)
    expect(authors.map(({ id }) => id)).toEqual([former.id, auditor.userId])
    await expect(listUploaders(system, stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
  })

  test('of another office: neither listed nor found', async () => {
    const system = current()
    const { document } = await aSignedDocument(system.db)
    const office = await storedOffice(system.db, { number: 13 })
    const other = asPerson(await storedUser(system.db, office))
    expect((await list(system, other)).documents).toEqual([])
    const reading = readDocument(system, other, ReadDocument.parse({ documentId: document.id }))
    await expect(reading).rejects.toMatchObject({ code: 'not-found' })
    const opening = openVersion(
      system,
      other,
      OpenVersion.parse({ documentId: document.id, version: 1 }),
    )
    await expect(opening).rejects.toMatchObject({ code: 'not-found' })
    expect((await system.log()).slice(1)).toMatchObject([
      { action: 'access.refused', officeId: office.id, details: { code: 'not-found' } },
      { action: 'access.refused', officeId: office.id, details: { code: 'not-found' } },
    ])
  })

  test('are read with versions and signatures, and the log records who looked', async () => {
    const system = current()
    const { author, document, certificate, signature } = await aSignedDocument(system.db)
    const reader = asPerson(author)
    const detail = await readDocument(system, reader, { documentId: document.id })
    expect(detail.document).toEqual(document)
    expect(detail.author).toEqual(author)
    expect(detail.versions).toEqual([aVersion(document, 2), aVersion(document, 1)])
    expect(detail.signatures).toMatchObject([
      {
        ...signature,
        signerName: fullName(author),
        certificate: { id: certificate.id },
      },
    ])
    expect((await system.log()).slice(1)).toMatchObject([
      {
        action: 'document.viewed',
        actor: { kind: 'person', userId: author.id },
        subject: { kind: 'document', id: document.id },
        result: 'success',
        details: { version: 2 },
      },
    ])
  })

  test.each([
    ['download', 'document.downloaded'],
    ['preview', 'document.previewed'],
  ] as const)('a version that is opened for %s is told in the log', async (purpose, action) => {
    const system = current()
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, purpose }
    const opened = await openVersion(system, asPerson(author), input)
    expect(opened.version).toEqual(aVersion(document, 1))
    expect((await system.log()).slice(1)).toMatchObject([
      { action, details: { version: 1, sha256: opened.version.sha256 } },
    ])
  })

  test('a page that is held already is not drawn again; the log tells once an hour', async () => {
    const whole = current()
    let drawn = 0
    const picture = async () => {
      drawn += 1
      return Uint8Array.of(drawn)
    }
    const withFile: System['blobs']['withFile'] = async ({ sha256 }, use) =>
      use({ path: sha256, length: 1, fileKey: null })
    const { blobs, pdf } = whole
    const system = { ...whole, blobs: { ...blobs, withFile }, pdf: { ...pdf, picture } }
    const { author, document } = await aSignedDocument(system.db)
    const reader = asPerson(author)
    const input = { documentId: document.id, version: 1, page: 2 }
    const first = await drawPage(system, reader, input)
    expect(first.picture).toEqual(Uint8Array.of(1))
    const again = await drawPage(system, reader, { ...input, held: ['x', first.name] })
    expect(again).toEqual({ name: first.name, picture: undefined })
    const other = await drawPage(system, reader, { ...input, page: 3, held: [first.name] })
    expect(other.picture).toEqual(Uint8Array.of(2))
    await expect(
      drawPage(system, stranger(), { ...input, held: [first.name] }),
    ).rejects.toMatchObject({ code: 'not-signed-in' })
    const previewed = (await whole.log()).filter(({ action }) => action === 'document.previewed')
    expect(previewed.map(({ details }) => details.page)).toEqual([2, 3])
  })

  test('pictures: one is drawn at a time, and a user waits for so many at most', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    let [running, most] = [0, 0]
    const picture = async () => {
      most = Math.max(most, ++running)
      await mayEnd
      running -= 1
      return Uint8Array.of(1)
    }
    const whole = current()
    const withFile: System['blobs']['withFile'] = async ({ sha256 }, use) =>
      use({ path: sha256, length: 1, fileKey: null })
    const system = {
      ...whole,
      blobs: { ...whole.blobs, withFile },
      pdf: { ...whole.pdf, picture },
    }
    const { author, office, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 1 }
    // No two of them are the same picture: that would be drawn once.
    const drawn = (person: Person, count: number, from = 0) =>
      Array.from({ length: count }, (_, index) =>
        drawPage(system, person, { ...input, ...partAt(from + index) }),
      )
    const codes: string[] = []
    const many = drawn(asPerson(author), MOST_PICTURES + 3).map((one) =>
      one.catch(({ code }) => codes.push(code)),
    )
    const others = Promise.all(
      drawn(asPerson(await storedUser(system.db, office)), 2, MOST_PICTURES + 3),
    )
    await expect.poll(() => codes).toEqual(Array(3).fill('too-many-attempts'))
    end()
    await Promise.all(many)
    expect((await others).map((one) => one.picture)).toEqual([Uint8Array.of(1), Uint8Array.of(1)])
    expect(most).toBe(1)
  })

  test.each(['nothing', 'no version'])('%s is not found', async (what) => {
    const system = current()
    const { author, document } = await aSignedDocument(system.db)
    const documentId = what === 'nothing' ? randomUUID() : document.id
    const opening = openVersion(
      system,
      asPerson(author),
      OpenVersion.parse({ documentId, version: 9 }),
    )
    await expect(opening).rejects.toMatchObject({ code: 'not-found' })
  })
})
