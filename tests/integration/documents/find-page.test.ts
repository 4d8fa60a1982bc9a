import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { firstNumberOf } from '#server/db/documents/document-texts.ts'
import { insertDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import {
  before,
  days,
  type Instant,
  instantOf,
  milliseconds,
  seconds,
} from '#server/domain/time.ts'
import type { PageQuery } from '#server/steps/documents/document-page.ts'
import { findPage } from '#server/steps/documents/find-page.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { recorded } from '#tests/support/recorded-database.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

/** The database of a machine on which each read apart takes so long, or is given up. */
const whichTakes = (db: Database, took: number | 'too long'): Database => ({
  ...db,
  async readApart(query) {
    // However busy this machine is.
    const read = await db.readApart(query, seconds(60))
    return took === 'too long' ? undefined : read && { ...read, took: milliseconds(took) }
  },
})

/** The database of an office with so many texts that a read of more than this is given up. */
const whichGivesUp = (db: Database, longer: number): Database => ({
  ...db,
  async readApart(query, patience) {
    const [from = 0, below = 0] = query.parameters
      .filter((value) => typeof value === 'number')
      .toSorted((one, other) => one - other)
      .slice(-2)
    return below - from > firstNumberOf(longer) ? undefined : await db.readApart(query, patience)
  },
})

type Stored = Partial<Document> & { title: string; daysAgo: number }

onEachSystem('page of a search', (current) => {
  async function anArchive(stored: readonly Stored[]) {
    const { db, clock } = current()
    const author = await storedUser(db, await storedOffice(db))
    const documents = stored.map(({ daysAgo, ...changes }, at) =>
      aDocument(author, {
        ...{ folio: folioOf(2026, at + 1), createdAt: before(MORNING, days(daysAgo)) },
        ...changes,
      }),
    )
    await db.transaction(async (trx) => {
      for (const document of documents) await insertDocument(trx, document)
      await writeTexts(
        trx,
        documents.map(({ id }) => id),
      )
    })
    const { db: counting, take } = recorded(db)
    /** How often the texts were searched since the last call. */
    const searches = () =>
      take().filter(({ sql }) => /document_trigrams|^select "number" from/.test(sql)).length
    const query = { officeId: author.officeId, limit: 50 }
    const find = (text: string, more: Partial<PageQuery> = {}, took: number | 'too long' = 1) =>
      findPage({ db: whichTakes(counting, took), clock }, { ...query, text, ...more })
    /** The titles of each page. */
    const pages = async (text: string, more: Partial<PageQuery> = {}, took = 1) => {
      const found: string[][] = []
      let behind: DocumentCursor | undefined
      do {
        const page = await find(text, { ...more, behind }, took)
        found.push(page.documents.map(({ title }) => title))
        behind = page.next === undefined ? undefined : DocumentCursor.parse(page.next)
      } while (behind)
      return found
    }
    return { find, pages, searches, officeId: author.officeId }
  }

  const NOTHING = { documents: [], next: undefined, areSimilar: false, wasCutShort: false }

  test('without a letter or digit: nothing, and nothing is missing', async () => {
    const { find } = await anArchive([{ title: 'Poder', daysAgo: 1 }])
    expect(await find('…')).toEqual({ ...NOTHING, isIncomplete: false })
    expect(await find('xochitlalpan')).toEqual({ ...NOTHING, isIncomplete: false })
    expect((await find('  ')).documents).toHaveLength(1)
  })

  test('documents of many years are found, the exact ones first, newest first', async () => {
    const ages = [0, 1, 63, 65, 400, 1_500, 6_000]
    const { find, pages } = await anArchive([
      ...ages.map((daysAgo) => ({ title: `Poder ${daysAgo}`, daysAgo })),
      ...ages.map((daysAgo) => ({ title: `Poderes ${daysAgo}`, daysAgo })),
    ])
    const expected = ['Poder', 'Poderes'].flatMap((word) => ages.map((days) => `${word} ${days}`))
    const { documents, ...page } = await find('poder')
    expect(documents.map(({ title }) => title)).toEqual(expected)
    expect(page).toEqual({
      next: undefined,
      areSimilar: false,
      wasCutShort: false,
      isIncomplete: false,
    })
    for (const limit of [1, 3, 7, 13])
      expect((await pages('poder', { limit })).flat()).toEqual(expected)
  })

  test('exactly as many as a page has: there is no other page', async () => {
    const { find } = await anArchive([
      { title: 'Poder 1', daysAgo: 1 },
      { title: 'Poder 2', daysAgo: 2 },
    ])
    expect(await find('poder', { limit: 2 })).toMatchObject({ next: undefined })
    expect(await find('poder', { limit: 1 })).toMatchObject({ next: expect.any(String) })
  })

  test('uploaded within a time: both its ends belong to it', async () => {
    const { find } = await anArchive(
      [10, 20, 30, 40].map((daysAgo) => ({ title: `Poder ${daysAgo}`, daysAgo })),
    )
    const at = (daysAgo: number): Instant => before(MORNING, days(daysAgo))
    const titles = async (from: Instant | undefined, to: Instant | undefined) =>
      (await find('poder', { from, to })).documents.map(({ title }) => title)
    expect(await titles(at(30), at(20))).toEqual(['Poder 20', 'Poder 30'])
    expect(await titles(at(20), undefined)).toEqual(['Poder 10', 'Poder 20'])
    expect(await titles(undefined, at(30))).toEqual(['Poder 30', 'Poder 40'])
    expect(await titles(instantOf(at(30) + 1), instantOf(at(20) - 1))).toEqual([])
  })

  test('similar words: all pages of them, and none of exact ones', async () => {
    const { find, pages } = await anArchive(
      [1, 2, 100].map((daysAgo) => ({ title: `Arizmendi ${daysAgo}`, daysAgo })),
    )
    const first = await find('arismendi', { limit: 2 })
    expect(first).toMatchObject({ areSimilar: true, wasCutShort: false })
    const behind = DocumentCursor.parse(first.next)
    expect(await find('arismendi', { limit: 2, behind })).toMatchObject({
      ...{ areSimilar: true, next: undefined, documents: [{ title: 'Arizmendi 100' }] },
    })
    expect(await pages('arismendi', { limit: 1 })).toEqual([
      ...[['Arizmendi 1'], ['Arizmendi 2'], ['Arizmendi 100']],
    ])
  })

  test('similar words: of a search with many words, the first four are corrected', async () => {
    const { find } = await anArchive([
      { title: 'Arizmendi Benavides Guadalupe Montemayor Villagran', daysAgo: 1 },
    ])
    const wrong = 'arismendi benabides guadalope montemallor'
    expect((await find('arismendi benabides guadalope montemayot')).documents).toHaveLength(1)
    expect((await find('arismendi benabides guadalope montemayot villagram')).documents).toEqual([])
    expect((await find(wrong)).documents).toEqual([])
  })

  test('a quick search looks at longer and longer times, a slow one at a few, and says where it stopped', async () => {
    const ages = [1, 1_000, 3_000, 6_000]
    const { find, pages, searches } = await anArchive(
      ages.map((daysAgo) => ({ title: `Poder ${daysAgo}`, daysAgo })),
    )
    const spent = async (took: number | 'too long', more: Partial<PageQuery> = {}) => {
      searches()
      const { documents, wasCutShort, next } = await find('poder', more, took)
      return { found: documents.length, wasCutShort, searches: searches(), next }
    }
    // 64, 512 and 4,096 days, and the rest; then likewise others than exact ones.
    expect(await spent(1)).toMatchObject({ found: 4, wasCutShort: false, searches: 8 })
    // Half of the time that is left, again and again: some 64, 54 and 16 days, and so on.
    expect(await spent(30)).toMatchObject({ found: 1, wasCutShort: true, searches: 4 })
    const slow = await spent(50)
    expect(slow).toMatchObject({ found: 1, wasCutShort: true, searches: 3 })
    const behind = DocumentCursor.parse(slow.next)
    expect(await spent(1, { behind })).toMatchObject({ found: 3, wasCutShort: false })
    expect((await pages('poder', {}, 1_000)).flat()).toEqual(ages.map((days) => `Poder ${days}`))
  })

  test('a read that is given up ends the search, which can be asked to go on from there', async () => {
    const { find, searches } = await anArchive([{ title: 'Poder', daysAgo: 1 }])
    searches()
    const page = await find('poder', {}, 'too long')
    expect(page).toMatchObject({ documents: [], areSimilar: false, wasCutShort: true })
    expect(searches()).toBe(1)
    const behind = DocumentCursor.parse(page.next)
    expect(await find('poder', { behind })).toMatchObject({ documents: [{ title: 'Poder' }] })
  })

  test('a search that is given up again and again goes on in shorter spans, and comes to the end', async () => {
    const ages = [0, 1, 2, 100]
    const { officeId } = await anArchive([
      ...ages.map((daysAgo) => ({ title: `Poder ${daysAgo} Núñez`, daysAgo })),
      ...ages.map((daysAgo) => ({ title: `Poderes ${daysAgo} Núñez`, daysAgo })),
      ...['Poder Pérez', 'Acta Núñez'].map((title) => ({ title, daysAgo: 3 })),
    ])
    const { clock, db: whole } = current()
    const db = whichGivesUp(whole, days(2))
    const found: string[] = []
    const cursors: (string | undefined)[] = []
    let behind: DocumentCursor | undefined
    do {
      const page = await findPage(
        { db, clock },
        { officeId, limit: 50, text: 'poder nunez', behind },
      )
      found.push(...page.documents.map(({ title }) => title))
      expect(cursors).not.toContain(page.next)
      cursors.push(page.next)
      behind = page.next === undefined ? undefined : DocumentCursor.parse(page.next)
    } while (behind && cursors.length < 200)
    expect(behind).toBeUndefined()
    const expected = ['Poder', 'Poderes'].flatMap((word) =>
      ages.map((age) => `${word} ${age} Núñez`),
    )
    expect(found).toEqual(expected)
  })

  test('similar words: a search that is given up goes on in shorter spans, and comes to the end', async () => {
    const ages = [0, 1, 2, 100]
    const { officeId } = await anArchive(
      ages.map((daysAgo) => ({ title: `Arizmendi ${daysAgo}`, daysAgo })),
    )
    const { clock, db: whole } = current()
    const slow = whichGivesUp(whole, days(2))
    const db: Database = {
      ...whole,
      // The word as it was written is in no text, and that takes no time to find out.
      readApart: (query, patience) =>
        query.parameters.some((value) => String(value).includes('arizmendi'))
          ? slow.readApart(query, patience)
          : whole.readApart(query, seconds(60)),
    }
    const found: string[] = []
    const cursors: (string | undefined)[] = []
    let behind: DocumentCursor | undefined
    do {
      const page = await findPage({ db, clock }, { officeId, limit: 50, text: 'arismendi', behind })
      found.push(...page.documents.map(({ title }) => title))
      expect(cursors).not.toContain(page.next)
      cursors.push(page.next)
      behind = page.next === undefined ? undefined : DocumentCursor.parse(page.next)
    } while (behind && cursors.length < 200)
    expect(behind).toBeUndefined()
    expect(found).toEqual(ages.map((age) => `Arizmendi ${age}`))
  })

  test('a search that no range of the index bounds is given up once, and comes to the end', async () => {
    const ages = [0, 1, 70, 800]
    const { officeId } = await anArchive(
      ages.map((daysAgo) => ({ title: `Poder ${daysAgo} Núñez`, daysAgo })),
    )
    const { clock, db: whole } = current()
    let givenUp = 0
    const db: Database = {
      ...whole,
      async readApart(query) {
        const isBounded = !query.sql.includes('document_trigrams')
        if (isBounded) return await whole.readApart(query, seconds(60))
        givenUp += 1
        return undefined
      },
    }
    for (const limit of [1, 50]) {
      const found: string[] = []
      let behind: DocumentCursor | undefined
      givenUp = 0
      do {
        const page = await findPage({ db, clock }, { officeId, limit, text: 'poder nunez', behind })
        found.push(...page.documents.map(({ title }) => title))
        behind = page.next === undefined ? undefined : DocumentCursor.parse(page.next)
      } while (behind)
      expect(found).toEqual(ages.map((age) => `Poder ${age} Núñez`))
      expect(givenUp).toBe(whole.dialect === 'sqlite' ? 1 : 0)
    }
  })

  test('others run between two spans of time', async () => {
    const { officeId } = await anArchive([1, 6_000].map((daysAgo) => ({ title: 'Poder', daysAgo })))
    const { db, clock } = current()
    /** Before each span, whether others ran since the one before it. */
    const ran: boolean[] = []
    let haveOthersRun = true
    const watched: Database = {
      ...db,
      async readApart(query) {
        ran.push(haveOthersRun)
        // However busy this machine is.
        const read = await db.readApart(query, seconds(60))
        haveOthersRun = false
        setImmediate(() => {
          haveOthersRun = true
        })
        return read && { ...read, took: milliseconds(10) }
      },
    }
    await findPage({ db: watched, clock }, { officeId, limit: 50, text: 'poder' })
    expect(ran.length).toBeGreaterThan(5)
    expect(ran).not.toContain(false)
  })

  test.each(['1763650000000.', ''])('the cursor of a list, %s…, is ignored', async (time) => {
    const { find } = await anArchive([{ title: 'Poder', daysAgo: 1 }])
    const behind = DocumentCursor.parse(`${time}${randomUUID()}`)
    expect(await find('poder', { behind })).toMatchObject({
      ...{ documents: [{ title: 'Poder' }], wasCutShort: false, next: undefined },
    })
  })

  test('more texts than are looked at at once: those of a state are found behind them', async () => {
    const { find } = await anArchive([
      ...Array.from({ length: 505 }, () => ({ title: 'Poder', daysAgo: 1 })),
      { title: 'Poder rechazado', daysAgo: 2, state: 'rejected' as const },
    ])
    const { documents, ...page } = await find('poder', { state: 'rejected' })
    expect(documents.map(({ title }) => title)).toEqual(['Poder rechazado'])
    expect(page).toMatchObject({ next: undefined, wasCutShort: false })
  })
})
