import { expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { findSeries, upsertSeries } from '#server/db/documents/numbers/number-series.ts'
import { findNumberText } from '#server/db/documents/numbers/number-texts.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { holdWrittenNumber } from '#server/steps/documents/numbers/hold-written-number.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachDatabase } from '#tests/support/database.ts'
import { linesOf, nextOf } from '#tests/support/office/numbered.ts'
import { outcomeOf } from '#tests/support/office/office-staff.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'

onEachDatabase('number that a person wrote', (current) => {
  /** An office whose deeds go on with the number 10, and whose collations have not begun. */
  async function anOffice() {
    const { db } = current()
    const office = await storedOffice(db)
    const author = await storedUser(db, office)
    const of = { at: MORNING, by: author.id }
    await db.transaction(async (trx) => {
      const series = await findSeries(trx, office.id, INSTRUMENT_SERIES)
      if (series) await upsertSeries(trx, { ...series, next: 10, countedFrom: 10, ...of })
    })
    let folios = 0
    const aDraft = async (kind: Document['kind'] = 'deed') => {
      folios += 1
      const document = aDocument(author, { kind, folio: `2026-00000${folios}` })
      await db.transaction((trx) => insertDocument(trx, document))
      return document
    }
    const write = (document: Document, number: string | null) => {
      const facts = { volume: null, folios: null, date: null, acts: null, parties: [] }
      const instrument = number === null ? null : { number, ...facts }
      return db.transaction((trx) => holdWrittenNumber(trx, { ...document, instrument }, of))
    }
    const lines = (seriesId = INSTRUMENT_SERIES) => linesOf(current(), office.id, seriesId)
    const textOf = async ({ id }: Document) => (await findNumberText(db, id))?.text
    return { office, aDraft, write, lines, textOf }
  }

  test('next of its series: is in the register, and the sequence goes on behind it', async () => {
    const { office, aDraft, write, lines, textOf } = await anOffice()
    const deed = await aDraft()
    expect(await write(deed, '10')).toEqual({ isOutside: false })
    expect(await lines()).toEqual(['10 used'])
    expect(await nextOf(current(), office.id)).toBe(11)
    expect(await textOf(deed)).toBeUndefined()
  })

  test('outside of the sequence: is in the register, and told', async () => {
    const { office, aDraft, write, lines } = await anOffice()
    expect(await write(await aDraft(), '5')).toEqual({ isOutside: true })
    expect(await lines()).toEqual(['5 used'])
    expect(await nextOf(current(), office.id)).toBe(10)
  })

  test('that the document has: changes nothing, however it is written', async () => {
    const { aDraft, write, lines } = await anOffice()
    const deed = await aDraft()
    await write(deed, '5')
    expect(await write(deed, ' 5')).toEqual({ isOutside: false })
    expect(await lines()).toEqual(['5 used'])
  })

  test('in place of another: leaves that one, which waits for a reason', async () => {
    const { aDraft, write, lines } = await anOffice()
    const deed = await aDraft()
    await write(deed, '10')
    expect(await write(deed, '11')).toEqual({ isOutside: false })
    expect(await lines()).toEqual(['10 left', '11 used'])
    expect(await write(deed, null)).toEqual({ isOutside: false })
    expect(await lines()).toEqual(['10 left', '11 left'])
  })

  test('from before the sequence was counted, or ahead of it: is forgotten when its document leaves it', async () => {
    const { aDraft, write, lines } = await anOffice()
    const [earlier, ahead] = [await aDraft(), await aDraft()]
    await write(earlier, '5')
    await write(ahead, '15')
    expect(await lines()).toEqual(['5 used', '15 used'])
    await write(earlier, null)
    await write(ahead, null)
    expect(await lines()).toEqual([])
  })

  test('of a document that has a number: stays in the series of that one when the kind changes', async () => {
    const { aDraft, write, lines } = await anOffice()
    const deed = await aDraft()
    await write(deed, '10')
    await write({ ...deed, kind: 'collation' }, '11')
    expect([await lines(), await lines(COLLATION_SERIES)]).toEqual([['10 left', '11 used'], []])
  })

  test('of a document without a number: is of the series of its kind, and of none if the kind only cites one', async () => {
    const { aDraft, write, lines } = await anOffice()
    expect(await write(await aDraft('collation'), '7')).toEqual({ isOutside: false })
    const testimony = await aDraft('testimony')
    expect(await write(testimony, '10')).toEqual({ isOutside: false })
    expect([await lines(), await lines(COLLATION_SERIES)]).toEqual([[], ['7 used']])
  })

  test('that says more than a number: is kept as a text, which no other document may have', async () => {
    const { aDraft, write, lines, textOf } = await anOffice()
    const [deed, other] = [await aDraft(), await aDraft()]
    expect(await write(deed, '12 bis')).toEqual({ isOutside: false })
    expect([await textOf(deed), await lines()]).toEqual(['12 bis', []])
    expect(await outcomeOf(write(other, '12  BIS'))).toBe('number-used')
    expect(await write(deed, '12 ter')).toEqual({ isOutside: false })
    expect(await textOf(deed)).toBe('12 ter')
    expect(await outcomeOf(write(other, '12 BIS'))).toBe('done')
  })

  test('text in place of a number, and a number in place of a text: the document has one of the two', async () => {
    const { aDraft, write, lines, textOf } = await anOffice()
    const deed = await aDraft()
    await write(deed, '10')
    await write(deed, '10 bis')
    expect([await textOf(deed), await lines()]).toEqual(['10 bis', ['10 left']])
    await write(deed, '10')
    expect([await textOf(deed), await lines()]).toEqual([undefined, ['10 used']])
  })
})
