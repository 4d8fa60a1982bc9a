import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { purgeDocument } from '#server/features/documents/purge-document.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { AddSeries, addSeries } from '#server/features/numbers/add-series.ts'
import { ChangeSeries, changeSeries } from '#server/features/numbers/change-series.ts'
import { explainNumber } from '#server/features/numbers/explain-number.ts'
import { exportNumbers } from '#server/features/numbers/export-numbers.ts'
import { listNumbers } from '#server/features/numbers/list-numbers.ts'
import { listSeries } from '#server/features/numbers/list-series.ts'
import { reopenNumber } from '#server/features/numbers/reopen-number.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { linesOf, moveSeries, nextOf } from '#tests/support/office/numbered.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const seriesId = INSTRUMENT_SERIES

async function aDeed(system: TestSystem, by: Person, number: number | null = null) {
  const deed = await uploadDocument(system, by, {
    ...{ title: 'Escritura', kind: 'deed', fileName: 'escritura.pdf' as never },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
  })
  await takeNumber(system, by, { documentId: deed.id, seriesId, number })
  return deed
}

onEachSystem('the register of numbers', (system) => {
  test('sequence: moved ahead it leaves missing numbers as one line, around those that documents have', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    await aDeed(system(), clerk.person)
    await aDeed(system(), clerk.person, 15)
    await moveSeries(system(), second.person, 20)
    expect(await linesOf(system(), office.id)).toEqual([
      ...['10 used', '11-14 missing', '15 used', '16-19 missing'],
    ])
    await moveSeries(system(), second.person, 18)
    expect(await linesOf(system(), office.id)).toEqual([
      ...['10 used', '11-14 missing', '15 used', '16-17 missing'],
    ])
    expect(await outcomeOf(moveSeries(system(), second.person, 12))).toBe('number-given')
    expect(await nextOf(system(), office.id)).toBe(18)
  })

  test('sequence: started with numbers counted from an earlier one', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 100)
    await aDeed(system(), clerk.person, 5)
    expect(await linesOf(system(), office.id)).toEqual(['5 used'])
    const other = await addSeries(
      system(),
      second.person,
      AddSeries.parse({ name: 'Actas', once: randomUUID() }),
    )
    await moveSeries(system(), second.person, 8, { seriesId: other, countedFrom: 3 })
    expect(await linesOf(system(), office.id, other)).toEqual(['3-7 missing'])
  })

  test('sequence: not moved by a form that showed another next number', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const [series] = await listSeries(system(), second.person)
    await aDeed(system(), clerk.person)
    const seen = { at: series!.at, next: 10 }
    const form = { seriesId, name: 'Escrituras', book: '7', countedFrom: null, seen }
    const stale = changeSeries(system(), second.person, ChangeSeries.parse({ ...form, next: 9 }))
    await expect(stale).rejects.toMatchObject({ code: 'stale-version' })
    // The name changes, and the number that was taken meanwhile is not given again.
    await changeSeries(system(), second.person, ChangeSeries.parse({ ...form, next: 10 }))
    expect(await nextOf(system(), office.id)).toBe(11)
  })

  test('documents: cancelled or purged they leave their number, which waits for a reason and is not given again', async () => {
    const { office, admin, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const [cancelled, purged] = [
      await aDeed(system(), clerk.person),
      await aDeed(system(), clerk.person),
    ]
    const reason = 'Se subió por error.'
    await cancelDocument(system(), second.person, { documentId: cancelled.id, reason })
    await purgeDocument(system(), admin.person, { documentId: purged.id, reason })
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '11 left'])
    await aDeed(system(), clerk.person)
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '11 left', '12 used'])
    const { lines, counts } = await listNumbers(system(), clerk.person, { show: 'left' })
    expect(lines.map((line) => line.document?.id)).toEqual([purged.id, cancelled.id])
    expect(counts).toEqual({ reserved: 0, left: 2, missing: 0 })
    // The corrected file of the same instrument.
    await aDeed(system(), clerk.person, 11)
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '11 used', '12 used'])
  })

  test('reason: of a part of a range, with one event; then no document takes it until it is taken back', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    await moveSeries(system(), second.person, 20)
    const explain = (first: number, last: number, reason = 'NO PASÓ', by = second.person) =>
      outcomeOf(explainNumber(system(), by, { seriesId, first, last, reason }))
    expect(await explain(12, 13)).toBe('done')
    expect(await explain(12, 13)).toBe('done')
    expect(await linesOf(system(), office.id)).toEqual([
      '10-11 missing',
      '12-13 unused',
      '14-19 missing',
    ])
    const events = (await system().log()).filter(({ action }) => action === 'number.explained')
    expect(events.map(({ details }) => details)).toEqual([
      {
        ...{ name: '12 a 13 de Escrituras y actas', first: 12, last: 13 },
        ...{ before: 'missing', reason: 'NO PASÓ' },
      },
    ])
    expect(await explain(12, 14)).toBe('number-state')
    expect(await explain(50, 50)).toBe('not-found')
    expect(await explain(10, 10, 'NO PASÓ', clerk.person)).toBe('forbidden')
    await expect(aDeed(system(), clerk.person, 12)).rejects.toMatchObject({
      code: 'number-explained',
    })
    await reopenNumber(system(), second.person, { seriesId, number: 13 })
    await aDeed(system(), clerk.person, 12)
    expect(await linesOf(system(), office.id)).toEqual([
      ...['10-11 missing', '12 used', '13 missing', '14-19 missing'],
    ])
    expect(await explain(12, 12)).toBe('number-state')
  })

  test('report: pages by number, the highest first, of one state, of a period', async () => {
    const { second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    for (let count = 0; count < 5; count += 1) await aDeed(system(), clerk.person)
    await moveSeries(system(), second.person, 18)
    const firstsOf = async (asked: object) => {
      const seen: number[] = []
      for (let behind: string | undefined; ; ) {
        const page = await listNumbers(system(), clerk.person, { ...asked, behind, size: 2 })
        seen.push(...page.lines.map((line) => (line.kind === 'entry' ? line.entry.first : 0)))
        behind = page.next
        if (!behind) return seen
      }
    }
    expect(await firstsOf({})).toEqual([15, 14, 13, 12, 11, 10])
    expect(await firstsOf({ show: 'used' })).toEqual([14, 13, 12, 11, 10])
    expect(await firstsOf({ from: '2000-01-01' })).toEqual([15, 14, 13, 12, 11, 10])
    expect(await firstsOf({ show: 'used', from: '2000-01-01', to: '2000-01-02' })).toEqual([])
  })

  test('export: all lines in the order of the numbers, with one event; of the own office only', async () => {
    const { second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    await aDeed(system(), clerk.person)
    await moveSeries(system(), second.person, 14)
    const { lines } = await exportNumbers(system(), clerk.person, { seriesId })
    const exported = []
    for await (const line of lines) if (line.kind === 'entry') exported.push(line.entry.first)
    expect(exported).toEqual([10, 11])
    expect((await system().log()).at(-1)).toMatchObject({ action: 'number.exported' })
    const own = await addSeries(
      system(),
      second.person,
      AddSeries.parse({ name: 'Actas', once: randomUUID() }),
    )
    const office = await storedOffice(system().db, { number: 77 })
    const foreigner = await aMember(system(), office, ['NOTARY'])
    expect(await outcomeOf(exportNumbers(system(), foreigner.person, { seriesId: own }))).toBe(
      'not-found',
    )
    expect(await outcomeOf(listNumbers(system(), foreigner.person, { seriesId: own }))).toBe(
      'not-found',
    )
    expect((await listNumbers(system(), foreigner.person, {})).lines).toEqual([])
  })

  test('series: no two with one name, once a form, and not changed by a clerk', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    const add = (name: string, once: string, by = second.person) =>
      outcomeOf(addSeries(system(), by, AddSeries.parse({ name, once })))
    const once = randomUUID()
    expect(await add('Actas fuera de protocolo', once)).toBe('done')
    expect(await add('Actas fuera de protocolo', once)).toBe('done')
    expect(await add('ACTAS FUERA DE PROTÓCOLO', randomUUID())).toBe('series-known')
    expect(await add('Otra', randomUUID(), clerk.person)).toBe('forbidden')
    expect(await outcomeOf(moveSeries(system(), clerk.person, 3))).toBe('forbidden')
    expect(await listSeries(system(), clerk.person)).toHaveLength(3)
    const notary = await aMember(system(), office, ['NOTARY'])
    expect(await outcomeOf(moveSeries(system(), notary.person, 3))).toBe('done')
  })
})
