import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { insertSigners } from '#server/db/signing-sessions/signers.ts'
import { insertSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { DocumentOrder } from '#server/domain/documents/document-list.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { DocumentCursor } from '#server/domain/documents/search/document-cursor.ts'
import { instantOf } from '#server/domain/time.ts'
import type { PageQuery } from '#server/steps/documents/document-page.ts'
import { listPage } from '#server/steps/documents/list-page.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'
import { recorded } from '#tests/support/recorded-database.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** So many milliseconds pass each time the clock is read. */
function readsOfTheClockTake(milliseconds: number): void {
  let now = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += milliseconds
    return now
  })
}

const FULL_PAGE = { areSimilar: false, wasCutShort: false, isIncomplete: false }

onEachSystem('page of a list', (current) => {
  /** So many documents, named by their place in the list from the newest; and a signer of those at the given places. */
  async function anArchive(count: number, signed: readonly number[] = [0]) {
    const { db } = current()
    const office = await storedOffice(db)
    const author = await storedUser(db, office, ['CLERK'])
    const documents = Array.from({ length: count }, (_, at) =>
      aDocument(author, {
        ...{ folio: folioOf(2026, at + 1), createdAt: instantOf(MORNING - at), title: `${at}` },
        stateSince: instantOf(MORNING + at),
      }),
    )
    const signer = await storedUser(db, office, ['NOTARY'])
    const session = aSession(author, { state: 'open' })
    const held = signed.flatMap((at) => documents[at] ?? [])
    await db.transaction(async (trx) => {
      for (const document of documents) await insertDocument(trx, document)
      await insertSigningSession(
        trx,
        session,
        held.map(({ id }) => ({ id, completedVersion: null, baseVersion: 1, fields: [] })),
      )
      await insertSigners(trx, [aSigner(session, 1, { userId: signer.id })])
    })
    const { db: counting, take } = recorded(db)
    const list = async (asked: Partial<PageQuery>) => {
      const query = { officeId: office.id, limit: 50, ...asked }
      const { documents: found, ...page } = await listPage({ db: counting }, query)
      return { ...page, titles: found.map(({ title }: Document) => title) }
    }
    /** The number of statements of a page. */
    const statementsOf = async (asked: Partial<PageQuery>) => {
      take()
      await list(asked)
      return take().length
    }
    return { list, statementsOf, author, signer, documents }
  }

  test('without a search: nothing is similar, cut short or incomplete; the last page has no other behind it', async () => {
    const { list, author } = await anArchive(3)
    for (const asked of [{}, { createdBy: author.id }]) {
      expect(await list({ ...asked, limit: 3 })).toEqual({
        ...{ ...FULL_PAGE, titles: ['0', '1', '2'], next: undefined },
      })
      const first = await list({ ...asked, limit: 2 })
      expect(first).toEqual({ ...FULL_PAGE, titles: ['0', '1'], next: expect.any(String) })
      const behind = DocumentCursor.parse(first.next)
      expect(await list({ ...asked, behind })).toEqual({
        ...{ ...FULL_PAGE, titles: ['2'], next: undefined },
      })
    }
  })

  test('filters that no index of the order selects by are compared stretch by stretch, others are not', async () => {
    const { statementsOf, author, signer } = await anArchive(3)
    const one = { from: MORNING, to: MORNING, state: 'draft', kind: 'act' } as const
    for (const order of DocumentOrder.options) {
      const spent = (asked: Partial<PageQuery>) => statementsOf({ order, ...asked })
      // A stretch is two statements: where it ends, and what is found in it.
      const byUpload = order === 'newest' || order === 'oldest' ? 1 : 2
      expect([
        ...[order, await spent({})],
        ...[await spent({ state: one.state }), await spent({ from: one.from })],
        ...[await spent({ to: one.to }), await spent({ kind: one.kind })],
        ...[await spent({ createdBy: author.id }), await spent({ signer: signer.id })],
      ]).toEqual([order, 1, byUpload, byUpload, byUpload, 2, 2, 2])
    }
  })

  test('when time is over: four stretches are compared, 200 documents each by their signers, 2,000 by other filters', async () => {
    const { list, signer, author } = await anArchive(1_001, [10, 900])
    readsOfTheClockTake(1_000)
    const cut = await list({ signer: signer.id })
    expect(cut).toEqual({
      ...{ ...FULL_PAGE, wasCutShort: true },
      ...{ titles: ['10'], next: expect.any(String) },
    })
    const rest = await list({ signer: signer.id, behind: DocumentCursor.parse(cut.next) })
    expect(rest).toEqual({ ...FULL_PAGE, titles: ['900'], next: undefined })
    const kept = { createdBy: author.id, kind: 'will' } as const
    expect(await list(kept)).toEqual({ ...FULL_PAGE, titles: [], next: undefined })
  })

  test('while there is time: as many stretches as it takes to fill the page, and others run between two', async () => {
    const { list, signer } = await anArchive(1_001, [10, 20, 900, 950])
    readsOfTheClockTake(0)
    expect(await list({ signer: signer.id })).toMatchObject({
      ...{ wasCutShort: false, titles: ['10', '20', '900', '950'] },
    })
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    // Full in the first stretch: only another one shows that there is a next page.
    const page = await list({ signer: signer.id, limit: 2 })
    isOver = true
    expect(page).toEqual({ ...FULL_PAGE, titles: ['10', '20'], next: expect.any(String) })
    expect(turns).toBeGreaterThanOrEqual(4)
    const behind = DocumentCursor.parse(page.next)
    const rest = { ...FULL_PAGE, titles: ['900', '950'], next: undefined }
    expect(await list({ signer: signer.id, limit: 2, behind })).toEqual(rest)
  })

  test.each(DocumentOrder.options)(
    '%s: the cursor of a search or of another order is ignored',
    async (order) => {
      const { list, documents } = await anArchive(3)
      const [, middle] = documents
      if (!middle) throw new Error('three were stored')
      const all = await list({ order })
      expect(all.titles).toHaveLength(3)
      expect(await list({ order, behind: DocumentCursor.parse('exact.1') })).toEqual(all)
      const other = order === 'title' ? `${MORNING - 1}.${middle.id}` : middle.id
      expect(await list({ order, behind: DocumentCursor.parse(other) })).toEqual(all)
    },
  )

  test.each(DocumentOrder.options)('%s: a page goes on behind the last document', async (order) => {
    const { list } = await anArchive(3)
    const { titles } = await list({ order })
    const first = await list({ order, limit: 1 })
    const second = await list({ order, limit: 1, behind: DocumentCursor.parse(first.next) })
    const third = await list({ order, limit: 1, behind: DocumentCursor.parse(second.next) })
    expect([first, second, third].flatMap((page) => page.titles)).toEqual(titles)
    expect(third.next).toBeUndefined()
  })

  test('title: the cursor of an unknown document is ignored', async () => {
    const { list } = await anArchive(2)
    const behind = DocumentCursor.parse(randomUUID())
    expect((await list({ order: 'title', behind })).titles).toEqual(['0', '1'])
  })
})
