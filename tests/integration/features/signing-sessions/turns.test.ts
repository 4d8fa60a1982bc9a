import { expect, test } from 'vitest'
import type { Person } from '#server/domain/identity/actor.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days } from '#server/domain/time.ts'
import { listMyTurns } from '#server/features/signatures/list-my-turns.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import {
  ListSigningSessions,
  listSigningSessions,
} from '#server/features/signing-sessions/list-signing-sessions.ts'
import {
  aCeremony,
  anOpenSession,
  type Party,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const MANY = { limit: 100 }

/** The titles of the documents that wait for the person, with their turns. */
async function turnsOf(system: TestSystem, person: Person) {
  const { documents } = await listMyTurns(system, person, MANY)
  return documents.map(({ document, turn }) => `${document.title}: ${turn}`)
}

const asked = (parties: readonly Party[]) => parties.map((party) => party.asked)

onEachSigningSystem('turns', (system) => {
  test('second step: waits on each document until the first step has signed it', async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1, 2], 3)
    const [first, second] = parties as [Party, Party]
    const { id } = await anOpenSession(system(), person, sessionOf(drafts, asked(parties)))
    const all = ['Poder notarial', 'Poder 2', 'Poder 3']
    expect(await turnsOf(system(), first.person)).toEqual(all.map((title) => `${title}: now`))
    expect(await turnsOf(system(), second.person)).toEqual(all.map((title) => `${title}: waiting`))
    const now = { turn: 'now', limit: 100 } as const
    expect(await listMyTurns(system(), second.person, now)).toEqual({
      ...{ documents: [], count: 0, ready: 0 },
    })

    await signInSession(system(), first, drafts[1]!, 2)
    expect(await turnsOf(system(), first.person)).toEqual(['Poder notarial: now', 'Poder 3: now'])
    expect(await turnsOf(system(), second.person)).toEqual([
      'Poder 2: now',
      'Poder notarial: waiting',
      'Poder 3: waiting',
    ])
    expect(await listMyTurns(system(), second.person, now)).toMatchObject({
      documents: [
        { document: { id: drafts[1]?.id }, session: { id }, signer: { step: 2 }, turn: 'now' },
      ],
      count: 1,
    })
    // Although a document that waits for others stands before it in the session.
    const alone = await listMyTurns(system(), second.person, { limit: 1, most: 1 })
    expect(alone.documents.map(({ document }) => document.id)).toEqual([drafts[1]?.id])
    expect(await listMyTurns(system(), second.person, MANY)).toMatchObject({ count: 3, ready: 1 })
    expect(await turnsOf(system(), person)).toEqual([])

    const { sessions } = await listSigningSessions(
      system(),
      person,
      ListSigningSessions.parse({ whose: 'mine' }),
    )
    expect(sessions).toMatchObject([
      { session: { id }, documents: 3, progress: { made: 1, wanted: 6 } },
    ])
  })

  test('list: what can be signed now, then what waits, each oldest session first; cut at its limit, with the count of all', async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1], 3)
    const [party] = parties as [Party]
    const [one, two, three] = drafts as [(typeof drafts)[0], (typeof drafts)[0], (typeof drafts)[0]]
    await anOpenSession(system(), person, sessionOf([three], asked(parties)))
    system().wait(days(1))
    const { id } = await anOpenSession(system(), person, sessionOf([two, one], asked(parties)))
    expect(await turnsOf(system(), party.person)).toEqual([
      'Poder 3: now',
      'Poder 2: now',
      'Poder notarial: now',
    ])
    const cut = await listMyTurns(system(), party.person, { limit: 1 })
    expect(cut.count).toBe(3)
    expect(cut.documents.map(({ document }) => document.id)).toEqual([three.id])
    const first = await listMyTurns(system(), party.person, { turn: 'now', limit: 2 })
    expect(first.documents.map(({ document }) => document.id)).toEqual([three.id, two.id])
    const rest = { turn: 'now', limit: 2, behind: first.next } as const
    const last = await listMyTurns(system(), party.person, rest)
    expect(last.documents.map(({ document }) => document.id)).toEqual([one.id])
    expect(last.next).toBeUndefined()
    const ofOne = await listMyTurns(system(), party.person, { ...MANY, signingSessionId: id })
    expect(ofOne.documents.map(({ document }) => document.id)).toEqual([two.id, one.id])
  })

  test('session: nothing waits before it is open, once it is over, or past its deadline', async () => {
    const { person, drafts, parties } = await aCeremony(system(), [1], 2)
    const [party] = parties as [Party]
    const [one, two] = drafts as [(typeof drafts)[0], (typeof drafts)[0]]
    await createSigningSession(system(), person, sessionOf([one], asked(parties)))
    expect(await turnsOf(system(), party.person)).toEqual([])
    const { id } = await anOpenSession(system(), person, sessionOf([one], asked(parties)))
    const deadline = after(system().clock.now(), days(1))
    await anOpenSession(system(), person, sessionOf([two], asked(parties), { deadline }))
    expect(await turnsOf(system(), party.person)).toHaveLength(2)
    await cancelSigningSession(system(), person, {
      signingSessionId: id,
      reason: 'Se canceló.' as Reason,
    })
    expect(await turnsOf(system(), party.person)).toEqual(['Poder 2: now'])
    // The job has not run yet.
    system().wait(days(1))
    expect(await turnsOf(system(), party.person)).toEqual([])
  })
})
