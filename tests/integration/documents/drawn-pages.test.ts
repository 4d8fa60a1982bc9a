import { expect, test } from 'vitest'
import { findReading } from '#server/db/documents/reading-progress.ts'
import { Problem } from '#server/domain/problem.ts'
import { minutes } from '#server/domain/time.ts'
import { DrawPage, drawPage, PAGE_PICTURES } from '#server/features/documents/draw-page.ts'
import { readPages } from '#server/features/documents/read-pages.ts'
import type { PagePart, PageText } from '#server/ports/pdf-work.ts'
import type { System } from '#server/system.ts'
import { asPerson, storedUser, stranger } from '#tests/support/builders.ts'
import { aSignedDocument, aVersion } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const TEXT: PageText = {
  ...{ width: 612, height: 792, isCut: false },
  lines: [{ text: 'Escritura', x: 10, y: 20, width: 60, size: 12 }],
}

type Pdf = Partial<System['pdf']>

/** A system whose pages are drawn by `picture`, and which notes what it was asked to draw. */
function drawing(whole: TestSystem, pdf: Pdf = {}) {
  const drawn: PagePart[] = []
  const picture: System['pdf']['picture'] = async (_, part) => {
    drawn.push(part)
    return Uint8Array.of(part.page)
  }
  const withFile: System['blobs']['withFile'] = async ({ sha256 }, use) =>
    use({ path: sha256, length: 1, fileKey: null })
  const pageText = async () => TEXT
  const system = {
    ...whole,
    blobs: { ...whole.blobs, withFile },
    pdf: { ...whole.pdf, picture, pageText, ...pdf },
  }
  return { system, drawn }
}

const pagesDrawn = (parts: readonly PagePart[]) => parts.map(({ page }) => page)

onEachSystem('drawn pages', (current) => {
  const shownIn = async () =>
    (await current().log())
      .filter(({ action }) => action === 'document.previewed')
      .map(({ details }) => details.page)

  test('the next page is drawn ahead without an event, and is there when it is asked for', async () => {
    const { system, drawn } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1 }
    await drawPage(system, asPerson(author), { ...input, page: 1 })
    await expect.poll(() => pagesDrawn(drawn)).toEqual([1, 2])
    expect(await shownIn()).toEqual([1])
    await drawPage(system, asPerson(author), { ...input, page: 2 })
    await expect.poll(() => pagesDrawn(drawn)).toEqual([1, 2, 3])
    await drawPage(system, asPerson(author), { ...input, page: 3 })
    expect(pagesDrawn(drawn)).toEqual([1, 2, 3])
    expect(await shownIn()).toEqual([1, 2, 3])
  })

  test('a page that cannot be drawn ahead is no finding, and no error of the page before', async () => {
    const { system } = drawing(current(), {
      picture: async (_, { page }) => {
        if (page > 1) throw new Problem('pdf-too-complex', 'too much memory')
        return Uint8Array.of(page)
      },
    })
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 1 }
    expect((await drawPage(system, asPerson(author), input)).picture).toEqual(Uint8Array.of(1))
  })

  test('a page that waits is not drawn when its reader is gone', async () => {
    const { system, drawn } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const gate = Promise.withResolvers<void>()
    const others = system.memory.queue(PAGE_PICTURES).inTurn(() => gate.promise)
    const leaving = new AbortController()
    const input = { documentId: document.id, version: 1, page: 2 }
    const left = drawPage(system, asPerson(author), { ...input, signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('gone')), 100)
    await expect(left).rejects.toThrow('gone')
    gate.resolve()
    await others
    expect(drawn).toEqual([])
    expect(await shownIn()).toEqual([])
  })

  test('twenty readers of one page at once: it is drawn once, each of them is an event', async () => {
    const { system, drawn } = drawing(current())
    const { author, office, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 3 }
    const readers = [author]
    while (readers.length < 20) readers.push(await storedUser(system.db, office))
    const pictures = await Promise.all(
      readers.map((reader) => drawPage(system, asPerson(reader), input)),
    )
    expect(new Set(pictures.map(({ picture }) => picture?.[0]))).toEqual(new Set([3]))
    expect(pagesDrawn(drawn)).toEqual([3])
    expect(await shownIn()).toHaveLength(20)
  })

  test('one reader who enlarges a page: one event an hour, committed before any answer', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 3 }
    const person = asPerson(author)
    const parts = ['2,0,0', '2,0,1', '2,1,0', '2,1,1']
    await Promise.all(
      parts.map(async (region) => {
        await drawPage(system, person, { ...input, region })
        expect(await shownIn()).toEqual([3])
      }),
    )
    current().wait(minutes(61))
    await drawPage(system, person, input)
    expect(await shownIn()).toEqual([3, 3])
  })

  test('the same page through another session, or from another address, is another event', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 3 }
    const person = asPerson(author)
    await drawPage(system, person, input)
    await drawPage(system, { ...person, ip: '198.51.100.7' }, input)
    expect(await shownIn()).toEqual([3, 3])
  })

  test('if the event cannot be written, no picture leaves, and the next request writes it', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 3 }
    const transaction = () => Promise.reject(new Error('the disk is full'))
    const { db } = system
    const broken = { ...system, db: { ...db, selectFrom: db.selectFrom, transaction } }
    await expect(drawPage(broken, asPerson(author), input)).rejects.toThrow('the disk is full')
    expect(await shownIn()).toEqual([])
    await drawPage(system, asPerson(author), input)
    expect(await shownIn()).toEqual([3])
  })

  test('the furthest page counts, small pictures and texts beside pictures do not', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const person = asPerson(author)
    const input = { documentId: document.id, version: 1 }
    const version = aVersion(document, 1)
    const furthest = async () =>
      (await findReading(system.db, version, `user:${author.id}`))?.furthest
    await drawPage(system, person, { ...input, page: 3, width: 160 })
    await readPages(system, person, { ...input, first: 1, count: 3, purpose: 'pictures' })
    expect(await furthest()).toBeUndefined()
    await drawPage(system, person, { ...input, page: 2 })
    await drawPage(system, person, { ...input, page: 1 })
    expect(await furthest()).toBe(2)
    await readPages(system, person, { ...input, first: 1, count: 3, purpose: 'text' })
    expect(await furthest()).toBe(3)
  })

  test('pages that are read count for another version with as many pages', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 2 }
    await drawPage(system, asPerson(author), input)
    const reader = `user:${author.id}` as const
    const later = aVersion(document, 2)
    expect(await findReading(system.db, later, reader)).toMatchObject({ furthest: 2 })
    const longer = { ...later, pages: 4 }
    expect(await findReading(system.db, longer, reader)).toMatchObject({ furthest: 0 })
  })

  test('texts are sent as views; a text that is late or unreadable is left out, and is no view', async () => {
    const { system } = drawing(current(), {
      pageText: async (_, page) => {
        if (page === 2) throw new Problem('damaged-pdf', 'no text')
        return page === 3 ? await new Promise<PageText>(() => undefined) : TEXT
      },
    })
    const { author, document } = await aSignedDocument(system.db)
    const asked = { documentId: document.id, version: 1, first: 1, count: 3 }
    const read = await readPages(system, asPerson(author), { ...asked, purpose: 'pictures' })
    expect(read.pages).toEqual([
      { page: 1, text: TEXT },
      { page: 2, text: undefined },
      { page: 3, text: undefined },
    ])
    expect(await shownIn()).toEqual([1])
  })

  test('a page whose text cannot be read is tried once, not at every visit', async () => {
    let tries = 0
    const { system } = drawing(current(), {
      pageText: async () => {
        tries += 1
        throw new Problem('pdf-too-complex', 'took ten seconds', { kind: 'timed-out' })
      },
    })
    const { author, document } = await aSignedDocument(system.db)
    const asked = { documentId: document.id, version: 1, first: 2, count: 1 }
    for (let visit = 0; visit < 5; visit += 1)
      await readPages(system, asPerson(author), { ...asked, purpose: 'pictures' })
    expect(tries).toBe(1)
  })

  test('strangers get neither texts nor kept pictures; pages behind the last are not found', async () => {
    const { system } = drawing(current())
    const { author, document } = await aSignedDocument(system.db)
    const input = { documentId: document.id, version: 1, page: 1 }
    await drawPage(system, asPerson(author), input)
    const texts = { ...input, first: 1, count: 3, purpose: 'text' } as const
    await expect(drawPage(system, stranger(), input)).rejects.toMatchObject(NOT_SIGNED_IN)
    await expect(readPages(system, stranger(), texts)).rejects.toMatchObject(NOT_SIGNED_IN)
    await expect(readPages(system, asPerson(author), { ...texts, first: 4 })).rejects.toMatchObject(
      { code: 'not-found' },
    )
  })
})

const NOT_SIGNED_IN = { code: 'not-signed-in' }

test.each([
  { width: 801 },
  { width: 0 },
  { width: 'x' },
  { width: 1e9 },
  { region: '3,0,0' },
  { region: '2,2,0' },
  { region: '4,0,4' },
  { region: '2,0' },
  { region: '2,0,0,0' },
  { rotate: 45 },
  { rotate: -90 },
  { rotate: 360 },
])('a picture of %o is not drawn', (part) => {
  const documentId = '3f2c8a52-5a3c-4a56-9d0c-0d8e7a3a1c11'
  const whole = { documentId, version: '1', page: '1' }
  expect(
    DrawPage.safeParse({ ...whole, width: '800', region: '4,3,3', rotate: '270' }).success,
  ).toBe(true)
  expect(DrawPage.safeParse({ ...whole, ...part }).success).toBe(false)
})
