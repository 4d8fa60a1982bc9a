import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aCeremony, sessionOf } from '#tests/support/office/ceremonies.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('form that makes a signing session', (system) => {
  const madeSessions = async () =>
    (await system().log()).filter(({ action }) => action === 'signing-session.created').length

  /** A draft with one signer, as a form asks for it. */
  async function aForm() {
    const { person, office, document, parties } = await aCeremony(system(), [1])
    const asked = parties.map((party) => party.asked)
    return { person, office, input: { ...sessionOf([document], asked), once: randomUUID() } }
  }

  test('form sent twice: one session, also after it was opened', async () => {
    const { person, input } = await aForm()
    const first = await createSigningSession(system(), person, input)
    expect((await createSigningSession(system(), person, input)).id).toBe(first.id)
    await openSigningSession(system(), person, { signingSessionId: first.id })
    const again = await createSigningSession(system(), person, input)
    expect(again).toMatchObject({ id: first.id, state: 'open' })
    expect(await madeSessions()).toBe(1)
  })

  test('form sent twenty times at once: one session', async () => {
    const { person, input } = await aForm()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => createSigningSession(system(), person, input)),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await madeSessions()).toBe(1)
  })

  test('form of another page, and the same one of another user: each makes a session', async () => {
    const { person, office, input } = await aForm()
    const colleague = asPerson(await storedUser(system().db, office, ['CLERK']))
    const made = [
      await createSigningSession(system(), person, input),
      await createSigningSession(system(), person, { ...input, once: randomUUID() }),
      await createSigningSession(system(), colleague, input),
    ]
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  })
})
