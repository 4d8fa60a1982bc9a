import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Day } from '#server/domain/day.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { sumOf } from '#server/domain/reports/counts.ts'
import { days } from '#server/domain/time.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { type UploadDocument, uploadDocument } from '#server/features/documents/upload-document.ts'
import { AddSeries, addSeries } from '#server/features/numbers/add-series.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import type { IndexLine } from '#server/features/reports/index-lines.ts'
import {
  exportInstrumentIndex,
  type ReadInstrumentIndex,
  readInstrumentIndex,
} from '#server/features/reports/instrument-index.ts'
import { type ReadReport, readReport } from '#server/features/reports/read-report.ts'
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
  async function read(by: Person, asked: Omit<ReadReport, 'kind'> = {}, most = 100) {
    const form = { as: 'page', most, step: 2 } as const
    const { period, counted } = await readReport(
      system(),
      by,
      { kind: 'documents', ...asked },
      form,
    )
    if (counted && counted.kind !== 'documents') throw new Error('another report')
    const total = counted && sumOf(counted.counts.months)
    return { period, total, kinds: counted?.counts.kinds }
  }

  test('counts the documents of the own office in the period, and is an event', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const other = await aMember(system(), await storedOffice(system().db, { number: 77 }), [
      'CLERK',
    ])
    await upload(system(), other.person)
    await upload(system(), clerk.person, { kind: 'will' })
    const { id: documentId } = await upload(system(), clerk.person)
    await cancelDocument(system(), second.person, { documentId, reason: 'Repetido' as never })
    const { period, total, kinds } = await read(clerk.person)
    expect(total).toBe(2)
    expect(kinds).toEqual({ will: { draft: 1 }, deed: { cancelled: 1 } })
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'report.read',
      details: { report: 'documents', ...period },
    })
  })

  test('without days, counts this year so far; with days, no others', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    await upload(system(), clerk.person)
    const { period, total } = await read(clerk.person)
    const { to: today } = period
    expect(period.from).toBe(`${today.slice(0, 4)}-01-01`)
    expect(total).toBe(1)
    system().wait(days(2))
    await upload(system(), clerk.person)
    expect((await read(clerk.person)).total).toBe(2)
    expect((await read(clerk.person, { from: today, to: today })).total).toBe(1)
    expect((await read(clerk.person, { from: period.to, to: period.from })).total).toBe(0)
  })

  test('on a page, counts no more than it may', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    for (let count = 0; count < 5; count += 1) await upload(system(), clerk.person)
    for (const most of [5, 6]) expect((await read(clerk.person, {}, most)).total).toBe(5)
    for (const most of [0, 1, 3, 4])
      expect((await read(clerk.person, {}, most)).total).toBeUndefined()
  })

  test('ends when its reader left', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const left = { as: 'file', signal: AbortSignal.abort(new Error('left')) } as const
    const asked = { kind: 'documents' } as const
    await expect(readReport(system(), clerk.person, asked, left)).rejects.toThrow('left')
  })
})

onEachSystem('index of instruments', (system) => {
  function shown(line: IndexLine): string {
    const title = line.document?.title ?? '—'
    if (line.kind === 'text') return `${line.text.text} ${title}`
    const { first, last, state } = line.entry
    return [first, last, state, title].join(' ')
  }

  async function exported(by: Person, asked: ReadInstrumentIndex): Promise<string[]> {
    const { lines } = await exportInstrumentIndex(system(), by, asked, 2)
    const all = []
    for await (const line of lines) all.push(shown(line))
    return all
  }

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
    const events = (await system().log()).filter(({ action }) => action === 'report.read')
    expect(events.map(({ details }) => details.first)).toEqual([1, 12])
    expect(await exported(clerk.person, {})).toEqual(seen)
  })

  test('is of a range of numbers, as a file too, with one event', async () => {
    const { clerk } = await anIndex()
    const range = { first: 11, last: 15 }
    const page = await readInstrumentIndex(system(), clerk.person, range)
    expect(page.lines.map(shown)).toEqual([
      ...['11 11 left Dos', '12 14 missing —', '15 15 used Tres'],
    ])
    expect(await exported(clerk.person, range)).toEqual(page.lines.map(shown))
    expect((await system().log()).at(-1)).toMatchObject({
      action: 'report.exported',
      details: { report: 'instruments', ...range },
    })
  })

  test('of a range that begins or ends among missing numbers, lists those that are asked for', async () => {
    const { clerk } = await anIndex()
    const linesOf = async (range: ReadInstrumentIndex) =>
      (await readInstrumentIndex(system(), clerk.person, range)).lines.map(shown)
    expect(await linesOf({ first: 13, last: 13 })).toEqual(['13 13 missing —'])
    expect(await linesOf({ first: 13 })).toEqual(['13 14 missing —', '15 15 used Tres'])
    expect(await linesOf({ first: 16 })).toEqual([])
    expect(await exported(clerk.person, { first: 11, last: 12 })).toEqual([
      ...['11 11 left Dos', '12 12 missing —'],
    ])
  })

  /** Writes days into instruments, by the titles of their documents. */
  async function dated(days: Record<string, string>): Promise<void> {
    for (const [title, date] of Object.entries(days)) {
      const { id, instrument } = await system()
        .db.selectFrom('documents')
        .select(['id', 'instrument'])
        .where('title', '=', title)
        .executeTakeFirstOrThrow()
      const written = JSON.stringify({ ...JSON.parse(instrument ?? '{}'), date })
      await system().db.transaction((trx) =>
        trx.updateTable('documents').set({ instrument: written }).where('id', '=', id).execute(),
      )
    }
  }

  test('of days: the instruments of these days, and after each the numbers without a day that follow it', async () => {
    const { clerk } = await anIndex()
    await dated({ Uno: '2026-10-30', Tres: '2026-11-03' })
    const linesOf = async (asked: ReadInstrumentIndex) => {
      const { lines } = await readInstrumentIndex(system(), clerk.person, asked)
      expect(await exported(clerk.person, asked)).toEqual(lines.map(shown))
      return lines.map(shown)
    }
    const ofOctober = ['10 10 used Uno', '11 11 left Dos', '12 14 missing —']
    const [october, november] = [
      { from: Day.parse('2026-10-01'), to: Day.parse('2026-10-31') },
      { from: Day.parse('2026-11-01'), to: Day.parse('2026-11-30') },
    ]
    expect(await linesOf(october)).toEqual(ofOctober)
    expect(await linesOf(november)).toEqual(['15 15 used Tres'])
    expect(await linesOf({ to: october.to })).toEqual(ofOctober)
    expect(await linesOf({ from: october.from })).toEqual([...ofOctober, '15 15 used Tres'])
    expect(await linesOf({ ...october, first: 10, last: 10 })).toEqual(['10 10 used Uno'])
    // The number before it is not asked for, and its day counts all the same.
    expect(await linesOf({ ...october, first: 11 })).toEqual(ofOctober.slice(1))
    expect(await linesOf({ ...october, first: 13 })).toEqual(['13 14 missing —'])
    expect(await linesOf({ ...november, first: 13 })).toEqual(['15 15 used Tres'])
    expect(await linesOf({ from: Day.parse('2026-11-04') })).toEqual([])
    expect((await system().log()).at(-1)).toMatchObject({ details: { from: '2026-11-04' } })

    const pages: string[][] = []
    let behind: number | undefined
    do {
      const page = await readInstrumentIndex(system(), clerk.person, {
        ...october,
        behind,
        size: 1,
      })
      pages.push(page.lines.map(shown))
      behind = page.next
    } while (behind !== undefined)
    expect(pages).toEqual(ofOctober.map((line) => [line]))
    const long = await readInstrumentIndex(system(), clerk.person, { ...october, most: 0 })
    expect(long).toMatchObject({ lines: [], next: undefined, isTooLong: true })
  })

  test('instruments with a text in place of a number are at the end of the whole file', async () => {
    const { clerk } = await anIndex()
    expect((await readInstrumentIndex(system(), clerk.person, {})).hasTexts).toBe(false)
    for (const number of ['4 bis', '5 bis', '6 bis']) {
      const instrument = Instrument.parse({
        ...{ number, volume: null, folios: null, date: null, acts: null, parties: [] },
      })
      await upload(system(), clerk.person, { title: `Con ${number}`, instrument })
    }
    const { hasTexts } = await readInstrumentIndex(system(), clerk.person, {})
    expect(hasTexts).toBe(true)
    const all = await exported(clerk.person, {})
    expect(all).toHaveLength(7)
    expect(all.slice(4).toSorted()).toEqual([
      ...['4 bis Con 4 bis', '5 bis Con 5 bis', '6 bis Con 6 bis'],
    ])
    expect(await exported(clerk.person, { first: 15 })).toEqual(['15 15 used Tres'])
  })

  test('a series of another office is not found', async () => {
    const { second } = await anIndex()
    const named = AddSeries.parse({ name: 'Actas', once: randomUUID() })
    const theirs = { seriesId: await addSeries(system(), second.person, named) }
    const office = await storedOffice(system().db, { number: 77 })
    const { person } = await aMember(system(), office, ['NOTARY'])
    expect((await readInstrumentIndex(system(), person, {})).lines).toEqual([])
    expect(await outcomeOf(readInstrumentIndex(system(), person, theirs))).toBe('not-found')
    expect(await outcomeOf(exportInstrumentIndex(system(), person, theirs))).toBe('not-found')
    expect(await outcomeOf(readInstrumentIndex(system(), second.person, theirs))).toBe('done')
  })
})
