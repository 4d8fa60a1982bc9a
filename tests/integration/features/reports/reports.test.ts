import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  listUploadedDocuments,
  type UploadedDocument,
} from '#server/db/documents/uploaded-documents.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { days } from '#server/domain/time.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { type UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import {
  exportInstrumentIndex,
  type IndexLine,
  readInstrumentIndex,
} from '#server/features/reports/instrument-index.ts'
import {
  type ReadDocumentReport,
  readDocumentReport,
} from '#server/features/reports/read-document-report.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { moveSeries } from '#tests/support/office/numbered.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const seriesId = INSTRUMENT_SERIES

const upload = (system: TestSystem, by: Person, more: Partial<UploadDocument> = {}) =>
  uploadDocument(system, by, {
    ...{ title: 'Compraventa', kind: 'deed', fileName: FileName.parse('escritura.pdf') },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
    ...more,
  })

onEachSystem('report of documents', (system) => {
  const read = (by: Person, asked: ReadDocumentReport = {}, most = 100) =>
    readDocumentReport(system(), by, asked, { as: 'page', most })

  test('counts the documents of the own office in the period, and is an event', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const other = await aMember(system(), await storedOffice(system().db, { number: 77 }), [
      'CLERK',
    ])
    await upload(system(), other.person)
    await upload(system(), clerk.person, { kind: 'will' })
    const { id: documentId } = await upload(system(), clerk.person)
    await cancelDocument(system(), second.person, { documentId, reason: 'Repetido' as never })
    const { period, counts } = await read(clerk.person)
    expect(counts).toMatchObject({ total: 2, states: { draft: 1, cancelled: 1 } })
    expect(counts?.kinds.map(({ kind }) => kind).toSorted()).toEqual(['deed', 'will'])
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'report.read',
      details: { report: 'documents', ...period },
    })
  })

  test('without days, counts this year so far; with days, no others', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person)
    const { period, counts } = await read(clerk.person)
    const { to: today } = period
    expect(period.from).toBe(`${today.slice(0, 4)}-01-01`)
    expect(counts?.total).toBe(1)
    system().wait(days(2))
    await upload(system(), clerk.person)
    expect((await read(clerk.person)).counts?.total).toBe(2)
    expect((await read(clerk.person, { from: today, to: today })).counts?.total).toBe(1)
    expect((await read(clerk.person, { from: period.to, to: period.from })).counts?.total).toBe(0)
  })

  test('on a page, counts no more than it may', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    for (let count = 0; count < 3; count += 1) await upload(system(), clerk.person)
    expect((await read(clerk.person, {}, 3)).counts?.total).toBe(3)
    expect((await read(clerk.person, {}, 2)).counts).toBeUndefined()
  })

  test('reads documents of one instant step by step, each once', async () => {
    const { clerk, office } = await anOfficeWithStaff(system())
    for (let count = 0; count < 3; count += 1) await upload(system(), clerk.person)
    const at = system().clock.now()
    const seen = []
    let behind: UploadedDocument | undefined
    do {
      const asked = { from: at, to: at, behind, limit: 1 }
      behind = (await listUploadedDocuments(system().db, office.id, asked))[0]
      if (behind) seen.push(behind.id)
    } while (behind)
    expect(new Set(seen).size).toBe(3)
    expect(seen).toHaveLength(3)
  })
})

onEachSystem('index of instruments', (system) => {
  const shown = ({ entry, document }: IndexLine) =>
    [entry.first, entry.last, entry.state, document?.title ?? '—'].join(' ')

  /** 10 is a deed, 11 was cancelled, 12 to 14 are missing, 15 is a will. */
  async function anIndex() {
    const staff = await anOfficeWithStaff(system())
    const { clerk, second } = staff
    await moveSeries(system(), second.person, 10)
    for (const [title, number] of [
      ['Uno', null],
      ['Dos', null],
      ['Tres', 15],
    ] as const) {
      const { id: documentId } = await upload(system(), clerk.person, { title })
      await takeNumber(system(), clerk.person, { documentId, seriesId, number })
      if (title === 'Dos')
        await cancelDocument(system(), second.person, { documentId, reason: 'Repetido' as never })
    }
    await moveSeries(system(), second.person, 16)
    return staff
  }

  test('lists numbers in order, with those that no instrument has, page by page', async () => {
    const { clerk } = await anIndex()
    const seen = []
    let behind: number | undefined
    do {
      const page = await readInstrumentIndex(system(), clerk.person, { behind, size: 2 })
      seen.push(...page.lines.map(shown))
      behind = page.next
    } while (behind !== undefined)
    expect(seen).toEqual([
      ...['10 10 used Uno', '11 11 left Dos', '12 14 missing —', '15 15 used Tres'],
    ])
    // One event, not one for each page.
    const events = (await system().log()).filter(({ action }) => action === 'report.read')
    expect(events).toHaveLength(1)
  })

  test('is of a range of numbers, as a file too, with one event', async () => {
    const { clerk } = await anIndex()
    const range = { first: 11, last: 15 }
    const page = await readInstrumentIndex(system(), clerk.person, range)
    expect(page.lines.map(shown)).toEqual([
      ...['11 11 left Dos', '12 14 missing —', '15 15 used Tres'],
    ])
    const { lines } = await exportInstrumentIndex(system(), clerk.person, range)
    const exported = []
    for await (const line of lines) exported.push(shown(line))
    expect(exported).toEqual(page.lines.map(shown))
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'report.exported',
      details: { report: 'instruments', ...range },
    })
  })

  test('a series of another office is not found', async () => {
    await anIndex()
    const office = await storedOffice(system().db, { number: 77 })
    const foreigner = await aMember(system(), office, ['NOTARY'])
    expect((await readInstrumentIndex(system(), foreigner.person, {})).lines).toEqual([])
    const unknown = { seriesId: randomUUID() as never }
    expect(await outcomeOf(readInstrumentIndex(system(), foreigner.person, unknown))).toBe(
      'not-found',
    )
    expect(await outcomeOf(exportInstrumentIndex(system(), foreigner.person, unknown))).toBe(
      'not-found',
    )
  })
})
