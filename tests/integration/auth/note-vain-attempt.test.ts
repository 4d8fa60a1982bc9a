import { expect, test } from 'vitest'
import { createMemory } from '#server/adapters/memory.ts'
import { seconds } from '#server/domain/time.ts'
import { type FailedAttempt, noteVainAttempt } from '#server/steps/sign-ins/note-vain-attempt.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** A failed attempt that is about no account, in an office. */
async function aFailed({ db }: TestSystem): Promise<FailedAttempt> {
  const { id: officeId } = await storedOffice(db)
  return {
    ...{ actor: stranger(), key: 'a key', action: 'session.refused', officeId, userId: null },
    details: { reason: 'wrong-password' },
    ownDetails: { attemptsLeft: 3 },
  }
}

/** Notes the attempt in a process with this memory. Returns what was written beside it. */
async function noted(
  system: TestSystem,
  failed: FailedAttempt,
  memory = system.memory,
): Promise<string[]> {
  const written: string[] = []
  await noteVainAttempt({ db: system.db, memory }, failed, system.clock.now(), {
    always: async () => void written.push('always'),
    withEvent: async () => void written.push('with its event'),
  })
  return written
}

onEachSystem('note of a vain attempt', (current) => {
  test('the first of a minute is an event, with what belongs to it; the others are counted', async () => {
    const system = current()
    const failed = await aFailed(system)
    expect(await noted(system, failed)).toEqual(['always', 'with its event'])
    system.wait(seconds(30))
    expect(await noted(system, failed)).toEqual(['always'])
    expect(await system.log()).toMatchObject([
      {
        ...{ action: 'session.refused', result: 'refused', subject: { kind: 'nothing' } },
        details: { reason: 'wrong-password', attemptsLeft: 3 },
      },
    ])
  })

  test('an event of another process is none of this one, which counts from then on', async () => {
    const system = current()
    const failed = await aFailed(system)
    const elsewhere = createMemory()
    await noted(system, failed)
    expect(await noted(system, failed, elsewhere)).toEqual(['always'])
    expect(await noted(system, failed, elsewhere)).toEqual(['always'])
    expect(await system.log()).toHaveLength(1)
  })

  test('an attempt that is counted has no transaction', async () => {
    const system = current()
    const failed = await aFailed(system)
    await noted(system, failed)
    let transactions = 0
    const db: typeof system.db = {
      ...system.db,
      transaction: (work) => {
        transactions += 1
        return system.db.transaction(work)
      },
    }
    await noteVainAttempt({ db, memory: system.memory }, failed, system.clock.now())
    expect(transactions).toBe(0)
    const elsewhere = createMemory()
    for (const count of [1, 1]) {
      await noteVainAttempt({ db, memory: elsewhere }, failed, system.clock.now())
      expect(transactions).toBe(count)
    }
  })

  test('an attempt at an account is about it', async () => {
    const system = current()
    const failed = await aFailed(system)
    const office = await storedOffice(system.db, { number: 13 })
    const { id: userId } = await storedUser(system.db, office, ['CLERK'])
    await noted(system, { ...failed, officeId: office.id, userId })
    expect(await system.log()).toMatchObject([{ subject: { kind: 'user', id: userId } }])
  })

  test('one that could not be logged is the first again', async () => {
    const system = current()
    const failed = await aFailed(system)
    const fails = { always: () => Promise.reject(new Error('no room')) }
    const note = noteVainAttempt(system, failed, system.clock.now(), fails)
    await expect(note).rejects.toThrow('no room')
    expect(await noted(system, failed)).toEqual(['always', 'with its event'])
  })
})
