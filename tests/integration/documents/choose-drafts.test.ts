import { expect, test } from 'vitest'
import { seconds } from '#server/domain/time.ts'
import { ChooseDrafts, chooseDrafts } from '#server/features/documents/choose-drafts.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aDraft, aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'

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
