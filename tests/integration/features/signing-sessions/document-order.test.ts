import { expect, test } from 'vitest'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { moveSessionDocument } from '#server/features/signing-sessions/edit-session-documents.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { aCeremony, sessionOf } from '#tests/support/office/ceremonies.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('order of the documents of a session', (system) => {
  async function aDraftSession() {
    const { person, drafts, parties } = await aCeremony(system(), [1], 3)
    const [one, two, three] = drafts
    if (!one || !two || !three) throw new Error('three drafts')
    const asked = parties.map((party) => party.asked)
    const input = sessionOf([two, three, one], asked)
    const { id } = await createSigningSession(system(), person, input)
    const titles = async () =>
      (await readSigningSession(system(), person, { signingSessionId: id })).documents.map(
        ({ document }) => document.title,
      )
    const move = (document: typeof one, direction: 'up' | 'down') =>
      moveSessionDocument(system(), person, {
        ...{ signingSessionId: id, documentId: document.id, direction },
      })
    return { person, id, one, two, titles, move }
  }

  test('documents: stay in the order in which they were added', async () => {
    const { titles, person, id } = await aDraftSession()
    expect(await titles()).toEqual(['Poder 2', 'Poder 3', 'Poder notarial'])
    await openSigningSession(system(), person, { signingSessionId: id })
    expect(await titles()).toEqual(['Poder 2', 'Poder 3', 'Poder notarial'])
  })

  test('document: moves by one place, and stays at the end of the list', async () => {
    const { titles, move, one, two } = await aDraftSession()
    await move(one, 'up')
    expect(await titles()).toEqual(['Poder 2', 'Poder notarial', 'Poder 3'])
    await move(two, 'down')
    expect(await titles()).toEqual(['Poder notarial', 'Poder 2', 'Poder 3'])
    await move(one, 'up')
    expect(await titles()).toEqual(['Poder notarial', 'Poder 2', 'Poder 3'])
    expect((await system().log()).at(-2)).toMatchObject({
      action: 'signing-session.changed',
      details: { moved: one.id, place: 1 },
    })
  })

  test('document: not moved in a session that was opened', async () => {
    const { person, id, move, one } = await aDraftSession()
    await openSigningSession(system(), person, { signingSessionId: id })
    await expect(move(one, 'up')).rejects.toMatchObject({ code: 'session-state' })
  })
})
