import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findDocument } from '#server/db/documents/documents.ts'
import { insertEntries, listEntriesIn } from '#server/db/documents/numbers/number-entries.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { cancelDocument } from '#server/features/documents/cancel-document.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { readNumberOfDocument } from '#server/features/numbers/read-number.ts'
import { reserveNumber } from '#server/features/numbers/reserve-number.ts'
import { takeNumber } from '#server/features/numbers/take-number.ts'
import { nameSubjects } from '#server/steps/audit/name-subjects.ts'
import { plainSentence } from '#server/words/audit/audit-sentences.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { describeDraft } from '#tests/support/office/described.ts'
import { linesOf, moveSeries, nextOf } from '#tests/support/office/numbered.ts'
import { aMember, anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const seriesId = INSTRUMENT_SERIES

const aDeed = (system: TestSystem, by: Person, kind: 'deed' | 'testimony' | 'collation' = 'deed') =>
  uploadDocument(system, by, {
    ...{ title: `Escritura ${randomUUID()}`, kind, fileName: 'escritura.pdf' as never },
    content: [Buffer.from(`%PDF-1.7 ${randomUUID()}`)],
  })

const instrument = (number: string) => ({
  ...{ number, volume: null, folios: null, date: null, acts: null, parties: [] },
})

onEachSystem('taking numbers', (system) => {
  test('number: the next one, with the book, and one event that names document and number', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 4530, { book: '118' })
    const deed = await aDeed(system(), clerk.person)
    const taken = await takeNumber(system(), clerk.person, {
      documentId: deed.id,
      seriesId,
      number: null,
    })
    expect(taken).toEqual({ number: 4530, isOutside: false })
    const document = await findDocument(system().db, deed.id)
    expect(document?.instrument).toEqual({ ...instrument('4,530'), volume: '118' })
    expect(await linesOf(system(), office.id)).toEqual(['4530 used'])
    expect(await nextOf(system(), office.id)).toBe(4531)
    const event = (await system().log()).at(-1)!
    expect(event).toMatchObject({
      action: 'number.taken',
      subject: { kind: 'document', id: deed.id },
      details: { number: 4530, series: 'Escrituras y actas', volume: '118' },
    })
    const [named] = await nameSubjects(system().db, second.person, [event])
    expect(plainSentence(named!)).toBe(
      `Iván Cruz tomó el número 4,530 de “Escrituras y actas” para el documento ${deed.folio} “${deed.title}”`,
    )
  })

  test('numbers: twenty drafts at once get twenty numbers that follow each other', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 100)
    const deeds = []
    for (let count = 0; count < 20; count += 1) deeds.push(await aDeed(system(), clerk.person))
    const taken = await Promise.all(
      deeds.map(({ id }) =>
        takeNumber(system(), clerk.person, { documentId: id, seriesId, number: null }),
      ),
    )
    const numbers = taken.map(({ number }) => number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 100 + index))
    expect(await nextOf(system(), office.id)).toBe(120)
  })

  test('number: a draft takes one, however often and from however many tabs it is asked for', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 7)
    const deed = await aDeed(system(), clerk.person)
    const take = () =>
      takeNumber(system(), clerk.person, { documentId: deed.id, seriesId, number: null })
    const taken = await Promise.all([take(), take(), take()])
    expect(taken.map(({ number }) => number)).toEqual([7, 7, 7])
    expect(await linesOf(system(), office.id)).toEqual(['7 used'])
    const events = (await system().log()).filter(({ action }) => action === 'number.taken')
    expect(events).toHaveLength(1)
    const other = takeNumber(system(), clerk.person, {
      documentId: deed.id,
      seriesId: COLLATION_SERIES,
      number: null,
    })
    await expect(other).rejects.toMatchObject({ code: 'number-present' })
  })

  test('number: set apart once a form, and later given to a document by hand', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 50)
    const asked = { seriesId, note: 'Para la familia Núñez', once: randomUUID() }
    const reserve = () => reserveNumber(system(), clerk.person, asked)
    expect(await Promise.all([reserve(), reserve()])).toEqual([50, 50])
    expect(await linesOf(system(), office.id)).toEqual(['50 reserved'])
    const [first, next] = [await aDeed(system(), clerk.person), await aDeed(system(), clerk.person)]
    await takeNumber(system(), clerk.person, { documentId: next.id, seriesId, number: null })
    const bound = await takeNumber(system(), clerk.person, {
      documentId: first.id,
      seriesId,
      number: 50,
    })
    expect(bound).toEqual({ number: 50, isOutside: false })
    expect(await linesOf(system(), office.id)).toEqual(['50 used', '51 used'])
    expect(await reserve()).toBe(50)
    const reserved = (await system().log()).filter(({ action }) => action === 'number.reserved')
    expect(reserved).toHaveLength(1)
    expect(reserved[0]).toMatchObject({
      details: { name: '50 de Escrituras y actas', number: 50, reason: 'Para la familia Núñez' },
    })
  })

  test('number: written by hand ahead of the sequence, which goes on and leaves it out', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const [ahead, one, two] = [
      await aDeed(system(), clerk.person),
      await aDeed(system(), clerk.person),
      await aDeed(system(), clerk.person),
    ]
    const outside = await takeNumber(system(), clerk.person, {
      documentId: ahead.id,
      seriesId,
      number: 11,
    })
    expect(outside).toEqual({ number: 11, isOutside: true })
    const of = { documentId: ahead.id }
    expect(await readNumberOfDocument(system(), clerk.person, of)).toMatchObject({ isAhead: true })
    const take = (id: DocumentId) =>
      takeNumber(system(), clerk.person, { documentId: id, seriesId, number: null })
    expect([(await take(one.id)).number, (await take(two.id)).number]).toEqual([10, 12])
    expect(await linesOf(system(), office.id)).toEqual(['10 used', '11 used', '12 used'])
    expect(await readNumberOfDocument(system(), clerk.person, of)).toMatchObject({ isAhead: false })
  })

  test('number: never twice in one series, also of two drafts at once; the description stays', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const deeds = [await aDeed(system(), clerk.person), await aDeed(system(), clerk.person)]
    const outcomes = await Promise.all(
      deeds.map((deed) =>
        outcomeOf(describeDraft(system(), clerk.person, deed, { instrument: instrument('77') })),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'number-used'])
    const kept = await Promise.all(deeds.map(({ id }) => findDocument(system().db, id)))
    expect(kept.filter((document) => document?.instrument).length).toBe(1)
    expect(await linesOf(system(), office.id)).toEqual(['77 used'])
    const third = await aDeed(system(), clerk.person)
    const taken = takeNumber(system(), clerk.person, { documentId: third.id, seriesId, number: 77 })
    await expect(taken).rejects.toMatchObject({ code: 'number-used' })
    // A collation has its own register, and a testimony cites the number of its deed.
    const collation = await aDeed(system(), clerk.person, 'collation')
    await describeDraft(system(), clerk.person, collation, { instrument: instrument('77') })
    const testimony = await aDeed(system(), clerk.person, 'testimony')
    await describeDraft(system(), clerk.person, testimony, { instrument: instrument('77') })
    expect(await linesOf(system(), office.id, COLLATION_SERIES)).toEqual(['77 used'])
  })

  test('number: the database itself refuses a second line of one number, and a second number of one document', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const deed = await aDeed(system(), clerk.person)
    await takeNumber(system(), clerk.person, { documentId: deed.id, seriesId, number: null })
    const of = { officeId: office.id, seriesId }
    const [entry] = await listEntriesIn(system().db, of, { first: 10, last: 10 }, 1)
    const again = (changes: object) =>
      system().db.transaction((trx) => insertEntries(trx, [{ ...entry!, ...changes }]))
    await expect(again({ documentId: null })).rejects.toThrow()
    await expect(again({ first: 11, last: 11 })).rejects.toThrow()
  })

  test('text: no number of the sequence, and unique in its series', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const [one, other] = [await aDeed(system(), clerk.person), await aDeed(system(), clerk.person)]
    await describeDraft(system(), clerk.person, one, { instrument: instrument('10 bis') })
    const same = describeDraft(system(), clerk.person, other, { instrument: instrument('10  BIS') })
    await expect(same).rejects.toMatchObject({ code: 'number-used' })
    expect(await linesOf(system(), office.id)).toEqual([])
    const of = { documentId: one.id }
    expect((await readNumberOfDocument(system(), clerk.person, of)).kind).toBe('text')
    const reason = 'Se subió por error.'
    await cancelDocument(system(), second.person, { documentId: one.id, reason })
    await describeDraft(system(), clerk.person, other, { instrument: instrument('10 bis') })
  })

  test('number: renumbered, the draft leaves the old one; a mistake ahead of the sequence is forgotten', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    await moveSeries(system(), second.person, 10)
    const deed = await aDeed(system(), clerk.person)
    await takeNumber(system(), clerk.person, { documentId: deed.id, seriesId, number: null })
    await describeDraft(system(), clerk.person, deed, { instrument: instrument('1,100') })
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '1100 used'])
    await describeDraft(system(), clerk.person, deed, { instrument: instrument('11') })
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '11 used'])
    await describeDraft(system(), clerk.person, deed, { instrument: null })
    expect(await linesOf(system(), office.id)).toEqual(['10 left', '11 left'])
    expect(await nextOf(system(), office.id)).toBe(12)
  })

  test('number: refused before the series starts, to who may not describe, to another office, and for what is no draft', async () => {
    const { office, second, clerk } = await anOfficeWithStaff(system())
    const deed = await aDeed(system(), clerk.person)
    const take = (by: Person) =>
      outcomeOf(takeNumber(system(), by, { documentId: deed.id, seriesId, number: null }))
    expect(await take(clerk.person)).toBe('series-not-started')
    await moveSeries(system(), second.person, 10)
    const auditor = await aMember(system(), office, ['AUDITOR'])
    expect(await take(auditor.person)).toBe('forbidden')
    const foreigner = await aMember(system(), await storedOffice(system().db, { number: 77 }), [
      'CLERK',
    ])
    expect(await take(foreigner.person)).toBe('not-found')
    await cancelDocument(system(), second.person, { documentId: deed.id, reason: 'Por error.' })
    expect(await take(clerk.person)).toBe('wrong-state')
    expect(await nextOf(system(), office.id)).toBe(10)
  })
})
