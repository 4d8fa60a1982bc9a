import { expect, test } from 'vitest'
import type { Person } from '#server/domain/identity/actor.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { beginTotp } from '#server/features/mfa/begin-totp.ts'
import { listProofs, type Proof, stepUp } from '#server/features/mfa/step-up.ts'
import { origin, stranger } from '#tests/support/builders.ts'
import {
  alerts,
  aSignedInUser,
  busySystem,
  recorded,
  shown,
  withApp,
} from '#tests/support/keys/second-factors.ts'
import { signedIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo grapa pila correcto'
const password = (text: string): Proof => ({ method: 'PASSWORD', password: text })

/** A user whose last proof of identity is eleven minutes old. */
async function stale(system: TestSystem, factor: 'with app' | 'without') {
  const owner = await aSignedInUser(system, {}, PASSWORD)
  const app = factor === 'with app' ? await withApp(system, owner.person) : undefined
  const person = await signedIn(system, owner.user)
  system.wait(minutes(11))
  const { secret = '', backupCodes = [] } = app ?? {}
  return { ...owner, person, secret, backupCodes, from: (await system.log()).length }
}

async function asNow(system: TestSystem, token: string): Promise<Person> {
  const person = await resumeSession(system, origin, token)
  if (!person) throw new Error('the token opens nothing')
  return person
}

onEachSystem('step-up', (current) => {
  test('by a code of the app: the session goes on with new tokens', async () => {
    const system = current()
    const { person, secret, from } = await stale(system, 'with app')
    expect(await listProofs(system, person)).toEqual(['TOTP', 'BACKUP_CODE'])
    await expect(beginTotp(system, person)).rejects.toMatchObject({ code: 'step-up-needed' })
    const outcome = await stepUp(system, person, { method: 'TOTP', code: shown(system, secret) })
    if (outcome.kind !== 'stepped-up') throw new Error(outcome.kind)
    const proven = await asNow(system, outcome.tokens.access)
    expect(proven).toMatchObject({
      sessionId: person.sessionId,
      provenAt: system.clock.now(),
      secondFactorAt: system.clock.now(),
    })
    await beginTotp(system, proven)
    expect(await recorded(system, from)).toEqual([
      'session.stepped-up success {"factor":"TOTP"}',
      'totp.begun success {}',
    ])
  })

  test('crowded second factor: refused without spending an attempt', async () => {
    const system = current()
    const { person } = await stale(system, 'without')
    const busy = busySystem(system)
    for (let i = 0; i < 6; i++)
      await expect(stepUp(busy, person, password(PASSWORD))).rejects.toThrow('wait')
    expect(await stepUp(system, person, password(PASSWORD))).toMatchObject({ kind: 'stepped-up' })
  })

  test('by a backup code', async () => {
    const system = current()
    const { person, backupCodes, from } = await stale(system, 'with app')
    const proof = { method: 'BACKUP_CODE', code: backupCodes[6] ?? '' } as const
    expect(await stepUp(system, person, proof)).toMatchObject({ kind: 'stepped-up' })
    expect(await stepUp(system, person, proof)).toMatchObject({ kind: 'refused', attemptsLeft: 4 })
    expect(await recorded(system, from)).toEqual([
      'session.stepped-up success {"factor":"BACKUP_CODE","left":9,"number":7}',
      'session.step-up-refused refused {"attemptsLeft":4,"factor":"BACKUP_CODE","reason":"wrong-code"}',
    ])
  })

  test('by the password, without second factors', async () => {
    const system = current()
    const { person, from } = await stale(system, 'without')
    expect(await listProofs(system, person)).toEqual(['PASSWORD'])
    expect(await stepUp(system, person, password('otra contraseña larga'))).toEqual({
      kind: 'refused',
      attemptsLeft: 4,
      serverTime: system.clock.now(),
    })
    const outcome = await stepUp(system, person, password(PASSWORD))
    if (outcome.kind !== 'stepped-up') throw new Error(outcome.kind)
    expect(await asNow(system, outcome.tokens.access)).toMatchObject({
      provenAt: system.clock.now(),
      secondFactorAt: null,
    })
    expect(await recorded(system, from)).toEqual([
      'session.step-up-refused refused {"attemptsLeft":4,"factor":"PASSWORD","reason":"wrong-password"}',
      'session.stepped-up success {"factor":"PASSWORD"}',
    ])
  })

  test('the password is not enough for a user with a second factor', async () => {
    const system = current()
    const { person, from } = await stale(system, 'with app')
    expect(await stepUp(system, person, password(PASSWORD))).toMatchObject({ kind: 'refused' })
    expect(await recorded(system, from)).toEqual([
      'session.step-up-refused refused {"attemptsLeft":4,"factor":"PASSWORD","reason":"factor-needed"}',
    ])
  })

  test('five attempts in a quarter of an hour; then the person is told', async () => {
    const system = current()
    const { person, secret, from } = await stale(system, 'with app')
    const wrong = { method: 'TOTP', code: '000000' } as const
    const left = []
    for (let turn = 0; turn < 5; turn += 1) {
      const outcome = await stepUp(system, person, wrong)
      left.push(outcome.kind === 'refused' ? outcome.attemptsLeft : outcome.kind)
    }
    expect(left).toEqual([4, 3, 2, 1, 0])
    const right = () => ({ method: 'TOTP', code: shown(system, secret) }) as const
    for (let turn = 0; turn < 2; turn += 1)
      await expect(stepUp(system, person, right())).rejects.toMatchObject({
        code: 'too-many-attempts',
        retryAfter: minutes(15),
      })
    expect((await recorded(system, from)).slice(5)).toEqual([
      'session.throttled refused {"limit":"session","step":"second-factor"}',
    ])
    expect(await alerts(system)).toContain('second-factor-failures warning')
    system.wait(minutes(15))
    expect(await stepUp(system, person, right())).toMatchObject({ kind: 'stepped-up' })
  })

  test('step-up: one of twenty requests with one code gets new tokens', async () => {
    const system = current()
    const { user, secret, from } = await stale(system, 'with app')
    const persons = await Promise.all(Array.from({ length: 20 }, () => signedIn(system, user)))
    const proof = { method: 'TOTP', code: shown(system, secret) } as const
    const outcomes = await Promise.all(persons.map((person) => stepUp(system, person, proof)))
    expect(outcomes.filter(({ kind }) => kind === 'stepped-up')).toHaveLength(1)
    expect(
      (await recorded(system, from)).filter((line) => line.startsWith('session.stepped-up')),
    ).toHaveLength(1)
    system.wait(seconds(30))
    const [other] = persons
    if (!other) throw new Error('there are twenty')
    expect(
      await stepUp(system, other, { method: 'TOTP', code: shown(system, secret) }),
    ).toMatchObject({ kind: 'stepped-up' })
  })

  test('a stranger proves nothing', async () => {
    const system = current()
    await expect(stepUp(system, stranger(), password(PASSWORD))).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    await expect(listProofs(system, stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})
