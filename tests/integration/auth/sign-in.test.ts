import { describe, expect, test } from 'vitest'
import { replaceUserState } from '#server/db/users.ts'
import { hours, minutes } from '#server/domain/time.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo correcto batería'

async function anOfficeWithANotary(system: TestSystem) {
  const office = await storedOffice(system.db)
  const hash = await system.passwords.hash(PASSWORD)
  const email = { email: 'ximena@notaria.example' }
  return { office, user: await storedUser(system.db, office, ['NOTARY'], email, hash) }
}

const attempt = (
  system: TestSystem,
  password: string,
  changes = {},
  email = 'ximena@notaria.example',
) => signIn(system, stranger(changes), SignIn.parse({ email, password }))

onEachSystem('signing in', (current) => {
  test('opens a session and writes it into the log', async () => {
    const system = current()
    const { office, user } = await anOfficeWithANotary(system)
    const outcome = await attempt(system, PASSWORD)
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    expect(outcome.token).toHaveLength(43)
    expect(outcome.session).toMatchObject({ userId: user.id, device: 'Chrome en Windows' })
    expect(outcome.session.expiresAt - MORNING).toBe(hours(12))
    expect(await system.log()).toEqual([
      {
        seq: 0,
        leafHash: expect.any(String),
        at: MORNING,
        officeId: office.id,
        actor: {
          kind: 'person',
          userId: user.id,
          sessionId: outcome.session.id,
          name: 'Ximena Cañedo Íñiguez',
        },
        action: 'session.started',
        subject: { kind: 'session', id: outcome.session.id },
        result: 'success',
        ...origin,
        details: { method: 'password' },
      },
    ])
  })

  test('each time with another token', async () => {
    const system = current()
    await anOfficeWithANotary(system)
    const [first, second] = [await attempt(system, PASSWORD), await attempt(system, PASSWORD)]
    expect(first).not.toMatchObject({ token: (second as { token: string }).token })
  })

  test('takes the same password from a keyboard that composes accents otherwise', async () => {
    const system = current()
    await anOfficeWithANotary(system)
    expect(await attempt(system, PASSWORD.normalize('NFD'))).toMatchObject({ kind: 'signed-in' })
  })

  test('with a wrong password is refused and told in the log', async () => {
    const system = current()
    const { office, user } = await anOfficeWithANotary(system)
    expect(await attempt(system, 'caballo incorrecto')).toEqual({ kind: 'refused' })
    expect(await system.log()).toMatchObject([
      {
        officeId: office.id,
        actor: { kind: 'anonymous' },
        action: 'session.refused',
        subject: { kind: 'user', id: user.id },
        result: 'refused',
        details: { reason: 'wrong-password' },
      },
    ])
  })

  test('to an unknown account gives the same answer; the log does not keep what was typed', async () => {
    const system = current()
    await anOfficeWithANotary(system)
    expect(await attempt(system, PASSWORD, {}, 'nadie@notaria.example')).toEqual({
      kind: 'refused',
    })
    const log = await system.log()
    expect(log).toMatchObject([
      { officeId: null, subject: { kind: 'nothing' }, details: { reason: 'unknown-account' } },
    ])
    expect(JSON.stringify(log)).not.toContain('nadie')
  })

  test('to a suspended account gives the same answer', async () => {
    const system = current()
    const { user } = await anOfficeWithANotary(system)
    await system.db.transaction((trx) =>
      replaceUserState(trx, user.id, 'active', 'suspended', MORNING),
    )
    expect(await attempt(system, PASSWORD)).toEqual({ kind: 'refused' })
    expect(await system.log()).toMatchObject([{ details: { reason: 'suspended' } }])
  })

  describe('too often', () => {
    const spend = async (system: TestSystem, times: number, changes = {}) => {
      for (let i = 0; i < times; i++) await attempt(system, 'mal', changes).catch(() => {})
    }
    const refusal = expect.objectContaining({ code: 'too-many-attempts' })

    test('is refused even with the right password, and told once', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      await spend(system, 10)
      await expect(attempt(system, PASSWORD)).rejects.toEqual(refusal)
      await expect(attempt(system, PASSWORD)).rejects.toEqual(refusal)
      const log = await system.log()
      expect(log.map(({ action }) => action)).toEqual([
        ...Array<string>(10).fill('session.refused'),
        'session.throttled',
      ])
      expect(log.at(-1)).toMatchObject({ result: 'refused', details: { limit: 'account' } })
    })

    test('by a stranger elsewhere does not lock the person out', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      await spend(system, 12, { ip: '198.51.100.9' })
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
    })

    test('is forgiven after a quarter of an hour, and by a success', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      await spend(system, 11)
      system.wait(minutes(15))
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
      await spend(system, 9)
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
      await spend(system, 9)
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
    })

    test('for many accounts from one network is refused for the network', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      for (let i = 0; i < 100; i++)
        await attempt(system, 'mal', { ip: `2001:db8::${i}` }, `persona${i}@notaria.example`)
      const next = attempt(system, PASSWORD, { ip: '2001:db8::ffff' })
      await expect(next).rejects.toEqual(refusal)
      expect((await system.log()).at(-1)).toMatchObject({
        action: 'session.throttled',
        details: { limit: 'network' },
      })
    })
  })
})
