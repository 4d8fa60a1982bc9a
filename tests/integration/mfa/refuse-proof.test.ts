import { expect, test } from 'vitest'
import type { RefusedFactor } from '#server/steps/factors/checked-factor.ts'
import { refuseProof } from '#server/steps/sign-ins/refuse-proof.ts'
import { asPerson, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('refused proof', (current) => {
  async function refused(changes: Partial<RefusedFactor> = {}) {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db), ['NOTARY'])
    const written: string[] = []
    const factor: RefusedFactor = {
      ...{ ok: false, reason: 'wrong-code' },
      commit: async () => void written.push('the factor'),
      record: async () => void written.push('its log'),
      ...changes,
    }
    const attempt = { person: asPerson(user), method: 'totp', attemptsLeft: 3 }
    const action = 'session.step-up-refused'
    const at = system.clock.now()
    const answer = await refuseProof(system.db, factor, { ...attempt, action, at })
    return { answer, written, sessionId: attempt.person.sessionId, at }
  }

  test('writes what became of the factor, and an event of the session', async () => {
    const { answer, written, sessionId, at } = await refused()
    expect(answer).toEqual({ kind: 'refused', attemptsLeft: 3, serverTime: at })
    expect(written).toEqual(['the factor', 'its log'])
    expect((await current().log()).at(-1)).toMatchObject({
      ...{ action: 'session.step-up-refused', result: 'refused' },
      subject: { kind: 'session', id: sessionId },
      details: { factor: 'totp', reason: 'wrong-code', attemptsLeft: 3 },
    })
  })

  test('passes on what the code hints at', async () => {
    expect((await refused({ hint: 'clock' as never })).answer).toHaveProperty('hint', 'clock')
  })
})
