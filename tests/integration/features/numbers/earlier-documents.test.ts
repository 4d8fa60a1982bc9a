import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { registerNumbers } from '#server/db/migrations/0052-instrument-numbers.ts'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { listNumbers } from '#server/features/numbers/list-numbers.ts'
import { linesOf, moveSeries, nextOf } from '#tests/support/office/numbered.ts'
import { anOfficeWithStaff } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** A document as earlier releases stored it. */
async function anEarlier(
  system: TestSystem,
  by: Person,
  number: string,
  kind: DocumentKind = 'deed',
  state: DocumentState = 'signed',
) {
  const { id } = await uploadDocument(system, by, {
    ...{ title: `${kind} ${number}`, kind, fileName: 'escritura.pdf' as never },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
  })
  const rest = { volume: null, folios: null, date: null, acts: null, parties: [] }
  const instrument = JSON.stringify({ number, ...rest })
  await system.db.transaction((trx) =>
    trx.updateTable('documents').set({ instrument, state }).where('id', '=', id).execute(),
  )
  return id
}

const migrate = ({ db }: TestSystem) =>
  db.transaction(async (trx) => {
    for (const table of ['number_texts', 'instrument_numbers', 'number_series'])
      await trx.schema.dropTable(table).execute()
    await registerNumbers(trx as never, db.dialect)
  })

onEachSystem('numbers of earlier releases', (system) => {
  test('numbers: registered once, in the order of folios; the rest is listed as it was written', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    const make = (...args: [string, DocumentKind?, DocumentState?]) =>
      anEarlier(system(), clerk.person, ...args)
    const cancelled = await make('12,344', 'deed', 'cancelled')
    await make('12,346', 'deed', 'cancelled')
    const first = await make('12,345')
    const duplicate = await make('12345', 'act')
    const bis = await make('12,345 bis')
    const again = await make('12,345 BIS')
    const later = await make('12,346')
    await make('12,345', 'testimony')
    const collation = await make('7', 'collation', 'draft')
    await migrate(system())

    expect(await linesOf(system(), office.id)).toEqual(['12344 left', '12345 used', '12346 used'])
    expect(await linesOf(system(), office.id, COLLATION_SERIES)).toEqual(['7 used'])
    expect(await nextOf(system(), office.id)).toBeNull()
    const documentsOf = async (asked: object) =>
      (await listNumbers(system(), clerk.person, asked)).lines.map((line) => line.document?.id)
    expect(await documentsOf({})).toEqual([later, first, cancelled])
    expect(await documentsOf({ seriesId: COLLATION_SERIES })).toEqual([collation])
    expect((await documentsOf({ show: 'texts' })).toSorted()).toEqual(
      [duplicate, bis, again].toSorted(),
    )

    await moveSeries(system(), second.person, 12_350, { countedFrom: 12_340 })
    expect(await linesOf(system(), office.id)).toEqual([
      ...['12340-12343 missing', '12344 left', '12345 used', '12346 used', '12347-12349 missing'],
    ])
  })

  test('numbers: thousands of documents, in stretches', async () => {
    const { office, clerk } = await anOfficeWithStaff(system())
    const id = await anEarlier(system(), clerk.person, '1')
    await system().db.transaction(async (trx) => {
      const row = await trx
        .selectFrom('documents')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const rows = Array.from({ length: 2500 }, (_, index) => ({
        ...{ ...row, id: randomUUID(), folio: `2025-${index}`, folio_year: 2025 },
        ...{ folio_number: index + 1, verification_code: `CODE${index}` },
        instrument: JSON.stringify({ number: String(index + 2), parties: [] }),
      }))
      for (let start = 0; start < rows.length; start += 500)
        await trx
          .insertInto('documents')
          .values(rows.slice(start, start + 500))
          .execute()
    })
    await migrate(system())
    const { count } = await system().db.transaction((trx) =>
      trx
        .selectFrom('instrument_numbers')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('office_id', '=', office.id)
        .where('series_id', '=', INSTRUMENT_SERIES)
        .executeTakeFirstOrThrow(),
    )
    expect(Number(count)).toBe(2501)
  })
})
