import { expect, test } from 'vitest'
import { insertDocument } from '#server/db/documents/documents.ts'
import { Day, dayOf } from '#server/domain/day.ts'
import { folioOf } from '#server/domain/documents/folio.ts'
import { after, minutes, seconds } from '#server/domain/time.ts'
import { ChooseDrafts, chooseDrafts } from '#server/features/documents/choose-drafts.ts'
import { indexDocuments } from '#server/features/documents/index-documents.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { aDraft, aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'

const dayAfter = (day: Day): Day =>
  Day.parse(new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10))

onEachSigningSystem('choice of drafts', (system) => {
  test('drafts: paged and searched, newest first, without the chosen ones', async () => {
    const { person, document } = await aScene(system())
    const titles = Array.from({ length: 30 }, (_, index) => `Crédito ${index + 1}`)
    for (const title of titles) {
      system().wait(seconds(1))
      await aDraft(system(), person, undefined, title)
    }
    const choose = async (input: Record<string, unknown> = {}) =>
      await chooseDrafts(system(), person, ChooseDrafts.parse({ chosen: [], ...input }))
    const first = await choose()
    expect(first.found.map(({ title }) => title)).toEqual(titles.toReversed().slice(0, 25))
    const second = await choose({ behind: first.next })
    expect(second.found).toHaveLength(6)
    expect(second.next).toBeUndefined()

    const [newest, other] = first.found
    const chosen = [other?.id, document.id, newest?.id, other?.id]
    await aDraft(system(), person, undefined, 'Donación de un predio')
    const searched = await choose({ chosen, text: 'DONACION' })
    expect(searched.chosen.map(({ title }) => title)).toEqual([
      ...['Crédito 29', 'Poder notarial', 'Crédito 30'],
    ])
    expect(searched.found.map(({ title }) => title)).toEqual(['Donación de un predio'])
  })

  test('drafts: filtered by kind, author and day, with and without words, page by page', async () => {
    const office = await storedOffice(system().db)
    const clerk = await storedUser(system().db, office, ['CLERK'])
    const lawyer = await storedUser(system().db, office, ['LAWYER'])
    // 700 drafts, two minutes apart. Every seventh is a power, every second of the lawyer.
    const documents = Array.from({ length: 700 }, (_, index) =>
      aDocument(index % 2 === 0 ? lawyer : clerk, {
        title: `Acto ${index}`,
        folio: folioOf(2026, index + 1),
        kind: index % 7 === 0 ? 'power-of-attorney' : 'letter',
        createdAt: after(MORNING, minutes(2 * index)),
      }),
    )
    await system().db.transaction(async (trx) => {
      for (const document of documents) await insertDocument(trx, document)
    })
    await indexDocuments(system())
    const person = asPerson(clerk)
    const allOf = async (input: Record<string, unknown>) => {
      const pages = []
      let behind: string | undefined
      do {
        const page = await chooseDrafts(
          system(),
          person,
          ChooseDrafts.parse({ chosen: [], ...input, behind }),
        )
        pages.push(page.found.map(({ title }) => title))
        behind = page.next
      } while (behind)
      return pages
    }
    const wanted = (is: (index: number) => boolean) =>
      documents.flatMap(({ title }, index) => (is(index) ? title : [])).toReversed()

    const powers = await allOf({ kind: 'power-of-attorney' })
    expect(powers.flat()).toEqual(wanted((index) => index % 7 === 0))
    expect(powers.map((page) => page.length)).toEqual([25, 25, 25, 25])
    expect((await allOf({ by: lawyer.id })).flat()).toEqual(wanted((index) => index % 2 === 0))
    const both = { kind: 'power-of-attorney', by: lawyer.id }
    expect((await allOf(both)).flat()).toEqual(wanted((index) => index % 14 === 0))
    const day = dayOf(MORNING, office.timeZone)
    const ofDay = (index: number) =>
      dayOf(after(MORNING, minutes(2 * index)), office.timeZone) === day
    expect(ofDay(699)).toBe(false)
    for (const more of [{}, { text: 'acto' }]) {
      expect((await allOf({ ...more, to: day })).flat()).toEqual(wanted(ofDay))
      expect((await allOf({ ...more, from: dayAfter(day) })).flat()).toEqual(
        wanted((index) => !ofDay(index)),
      )
      expect((await allOf({ ...more, ...both, to: day })).flat()).toEqual(
        wanted((index) => index % 14 === 0 && ofDay(index)),
      )
    }
    expect((await allOf({ kind: 'will' })).flat()).toEqual([])
  })

  test('drafts: a page says that nothing but similar words was found', async () => {
    const { person } = await aScene(system())
    await aDraft(system(), person, undefined, 'Compraventa del lote')
    await indexDocuments(system())
    const choose = async (text: string) =>
      await chooseDrafts(system(), person, ChooseDrafts.parse({ chosen: [], text }))
    const exact = await choose('compraventa')
    expect(exact).toMatchObject({ areSimilar: false, wasCutShort: false, isIncomplete: false })
    const similar = await choose('compraventq')
    expect(similar.areSimilar).toBe(true)
    expect(similar.found.map(({ title }) => title)).toEqual(['Compraventa del lote'])
  })

  test('drafts: none of another office, and none for a role without sessions', async () => {
    const { office, document } = await aScene(system())
    const other = await aScene(system(), { office: { number: 13 } })
    const asked = { chosen: [document.id] }
    const { chosen, found } = await chooseDrafts(system(), other.person, asked)
    expect([chosen, found.map(({ id }) => id)]).toEqual([[], [other.document.id]])
    const auditor = asPerson(await storedUser(system().db, office, ['AUDITOR']))
    await expect(chooseDrafts(system(), auditor, asked)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
