import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createPasswords } from '#server/adapters/passwords.ts'
import { findCredentialsOf, replacePassword } from '#server/db/people/credentials.ts'
import { replaceUserState } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, days, hours, minutes, seconds } from '#server/domain/time.ts'
import { logVainAttempts } from '#server/features/auth/log-vain-attempts.ts'
import { readSignIn } from '#server/features/auth/read-sign-in.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { MORNING, origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { withTotp } from '#tests/support/keys/with-totp.ts'
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

onEachSystem('signing in', (current, dialect) => {
  test('opens a session and writes it into the log', async () => {
    const system = current()
    const { office, user } = await anOfficeWithANotary(system)
    const outcome = await attempt(system, PASSWORD)
    if (outcome.kind !== 'signed-in') throw new Error(outcome.kind)
    expect(outcome.tokens.access).toHaveLength(43)
    expect(outcome.duty).toBeNull()
    expect(outcome.session).toMatchObject({ userId: user.id, device: 'Chrome en Windows' })
    expect(outcome.session.expiresAt - MORNING).toBe(hours(12))
    expect(await system.log()).toEqual([
      {
        seq: 0,
        position: 0,
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
        ip: origin.ip,
        device: origin.device,
        requestId: origin.requestId,
        details: { method: 'password' },
      },
    ])
  })

  if (dialect === 'postgres')
    test('waits for a change of the password', async () => {
      const system = current()
      const { user } = await anOfficeWithANotary(system)
      const before = (await findCredentialsOf(system.db, user.id))?.passwordHash ?? ''
      const written = Promise.withResolvers<void>()
      const mayCommit = Promise.withResolvers<void>()
      const change = system.db.transaction(async (trx) => {
        await replacePassword(trx, user.id, before, 'another', MORNING)
        const end = { at: MORNING, by: user.id, reason: 'password-changed' } as const
        await endSessionsOf(trx, user.id, end)
        written.resolve()
        await mayCommit.promise
      })
      await written.promise
      const entering = attempt(system, PASSWORD)
      await Promise.race([entering, setTimeout(500)])
      mayCommit.resolve()
      await change
      expect(await entering).toEqual({ kind: 'refused' })
    })

  test('each time with another token', async () => {
    const system = current()
    await anOfficeWithANotary(system)
    const [first, second] = [await attempt(system, PASSWORD), await attempt(system, PASSWORD)]
    if (first.kind !== 'signed-in' || second.kind !== 'signed-in') throw new Error(first.kind)
    expect(first.tokens.access).not.toBe(second.tokens.access)
    expect(first.tokens.refresh).not.toBe(second.tokens.refresh)
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

  test('to an unknown account gets the same answer; the log does not keep the input', async () => {
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

  test('with a password of another cost hashes it anew', async () => {
    const system = current()
    const { office } = await anOfficeWithANotary(system)
    const dearer = await createPasswords({ memory: 16, passes: 1 })
    const email = 'antes@notaria.example'
    const hash = await dearer.hash(PASSWORD)
    const user = await storedUser(system.db, office, ['CLERK'], { email }, hash)
    expect(await attempt(system, 'mal', {}, email)).toEqual({ kind: 'refused' })
    expect((await findCredentialsOf(system.db, user.id))?.passwordHash).toBe(hash)
    expect(await attempt(system, PASSWORD, {}, email)).toMatchObject({ kind: 'signed-in' })
    const renewed = (await findCredentialsOf(system.db, user.id))?.passwordHash
    expect(renewed).toMatch(/m=8,t=1,/)
    expect(await attempt(system, PASSWORD, {}, email)).toMatchObject({ kind: 'signed-in' })
  })

  test('of a user with a second factor opens no session and lists the factors', async () => {
    const system = current()
    const { office, user } = await anOfficeWithANotary(system)
    await withTotp(system, user)
    const outcome = await attempt(system, PASSWORD)
    if (outcome.kind !== 'second-factor-next') throw new Error(outcome.kind)
    expect(outcome.signIn).toEqual({
      id: expect.any(String),
      expiresAt: after(MORNING, minutes(10)),
      methods: ['TOTP'],
    })
    expect(await system.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await readSignIn(system, outcome.token)).toMatchObject({
      id: outcome.signIn.id,
      state: 'pending',
      email: 'ximena@notaria.example',
      methods: ['TOTP'],
    })
    expect(await readSignIn(system, outcome.signIn.id)).toBeUndefined()
    system.wait(minutes(10))
    expect(await readSignIn(system, outcome.token)).toMatchObject({ state: 'over' })
    expect(await system.log()).toMatchObject([
      {
        officeId: office.id,
        actor: { kind: 'anonymous' },
        action: 'session.password-accepted',
        subject: { kind: 'user', id: user.id },
        result: 'success',
        details: { method: 'password' },
      },
    ])
  })

  test('after the grace of the office says that a second factor comes first', async () => {
    const system = current()
    const office = await storedOffice(system.db, { secondFactorGrace: days(7) })
    const hash = await system.passwords.hash(PASSWORD)
    await storedUser(system.db, office, ['CLERK'], { email: 'ximena@notaria.example' }, hash)
    expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in', duty: null })
    system.wait(days(7))
    const duty = 'set-up-second-factor'
    expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in', duty })
  })

  test('counts every character of a long password', async () => {
    const system = current()
    const { office } = await anOfficeWithANotary(system)
    const email = 'larga@notaria.example'
    const long = `${'palabra '.repeat(15)}fin.....`
    const hash = await system.passwords.hash(long)
    await storedUser(system.db, office, ['CLERK'], { email }, hash)
    for (const wrong of [long.slice(0, 72), long.slice(0, -1), long.toUpperCase(), `${long} `])
      expect(await attempt(system, wrong, {}, email)).toEqual({ kind: 'refused' })
    expect(await attempt(system, long, {}, email)).toMatchObject({ kind: 'signed-in' })
  })

  describe('too often', () => {
    const spend = async (system: TestSystem, times: number, changes = {}) => {
      for (let i = 0; i < times; i++) await attempt(system, 'mal', changes).catch(() => {})
    }
    const refusal = (retryAfter: number) =>
      expect.objectContaining({ code: 'too-many-attempts', retryAfter })
    const known = { browser: sha256('the browser of every day'), ip: '198.51.100.20' }

    test('is refused even with the right password, told once in the log and to the person', async () => {
      const system = current()
      const { office, user } = await anOfficeWithANotary(system)
      await spend(system, 5)
      await expect(attempt(system, PASSWORD)).rejects.toEqual(refusal(30_000))
      system.wait(seconds(20))
      await expect(attempt(system, PASSWORD)).rejects.toEqual(refusal(10_000))
      const log = await system.log()
      expect(log.map(({ action }) => action)).toEqual(['session.refused', 'session.throttled'])
      expect(log.at(-1)).toMatchObject({
        officeId: office.id,
        subject: { kind: 'user', id: user.id },
        result: 'refused',
        details: { limit: 'account' },
      })
      await logVainAttempts(system)
      const alerts = await system.db.selectFrom('alerts').selectAll().execute()
      expect(alerts).toMatchObject([{ kind: 'repeated-failures', user_id: user.id }])
    })

    test('waits that double, until the right password ends them', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      await spend(system, 5)
      for (const wait of [30, 60, 120]) {
        await expect(attempt(system, 'mal')).rejects.toEqual(refusal(wait * 1000))
        system.wait(seconds(wait))
        expect(await attempt(system, 'mal')).toEqual({ kind: 'refused' })
      }
      system.wait(minutes(4))
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
      await spend(system, 4)
      expect(await attempt(system, PASSWORD)).toMatchObject({ kind: 'signed-in' })
    })

    test('from many networks does not lock out a known device', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      expect(await attempt(system, PASSWORD, known)).toMatchObject({ kind: 'signed-in' })
      for (let i = 0; i < 101; i++)
        await attempt(system, 'mal', { browser: null, ip: `198.51.100.${i}` }).catch(() => {})
      const elsewhere = { browser: null, ip: '203.0.113.200' }
      await expect(attempt(system, PASSWORD, elsewhere)).rejects.toEqual(refusal(3_600_000))
      expect((await system.log()).at(-1)).toMatchObject({ details: { limit: 'account-anywhere' } })
      expect(await attempt(system, PASSWORD, known)).toMatchObject({ kind: 'signed-in' })
      system.wait(hours(1))
      expect(await attempt(system, PASSWORD, elsewhere)).toMatchObject({ kind: 'signed-in' })
    })

    test('from a known device is refused after its own ten attempts', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      await attempt(system, PASSWORD, known)
      await spend(system, 10, known)
      await expect(attempt(system, PASSWORD, known)).rejects.toEqual(refusal(900_000))
      expect((await system.log()).at(-1)).toMatchObject({ details: { limit: 'device' } })
      // Each browser has its own budget.
      expect(await attempt(system, PASSWORD, { browser: null })).toMatchObject({
        kind: 'signed-in',
      })
      system.wait(minutes(15))
      expect(await attempt(system, PASSWORD, known)).toMatchObject({ kind: 'signed-in' })
    })

    test('throttle: a known device of another account has no budget for this one', async () => {
      const system = current()
      const { office } = await anOfficeWithANotary(system)
      const email = 'otro@notaria.example'
      const hash = await system.passwords.hash(PASSWORD)
      await storedUser(system.db, office, ['CLERK'], { email }, hash)
      await attempt(system, PASSWORD, known, email)
      await spend(system, 5, known)
      await expect(attempt(system, PASSWORD, known)).rejects.toEqual(refusal(30_000))
    })

    test('of an unknown address is refused in the same way', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      const outcomes = async (email: string, changes: object) => {
        const results: unknown[] = []
        for (let i = 0; i < 7; i++)
          results.push(await attempt(system, 'mal', changes, email).catch((error) => error))
        return results
      }
      const existing = await outcomes('ximena@notaria.example', { ip: '192.0.2.1' })
      expect(await outcomes('nadie@notaria.example', { ip: '192.0.2.2' })).toEqual(existing)
    })

    test('for many accounts from one network is refused for the network', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      for (let i = 0; i < 100; i++)
        await attempt(system, 'mal', { ip: `2001:db8::${i}` }, `persona${i}@notaria.example`)
      const next = attempt(system, PASSWORD, { ip: '2001:db8::ffff' })
      await expect(next).rejects.toEqual(refusal(900_000))
      expect((await system.log()).at(-1)).toMatchObject({
        action: 'session.throttled',
        details: { limit: 'network' },
      })
    })

    test('crowded sign-in: refused without spending an attempt', async () => {
      const plain = current()
      await anOfficeWithANotary(plain)
      const crowded = new Problem('too-many-attempts', 'crowded', { retryAfter: seconds(5) })
      const passwords = { ...plain.passwords, verify: () => Promise.reject(crowded) }
      const busy: TestSystem = { ...plain, passwords }
      for (let i = 0; i < 4; i++)
        await expect(attempt(busy, PASSWORD)).rejects.toEqual(refusal(5_000))
      await spend(plain, 4)
      expect(await attempt(plain, PASSWORD)).toMatchObject({ kind: 'signed-in' })
    })

    test('crowd of strangers: refused before anything is written, a known device is not', async () => {
      const plain = current()
      await anOfficeWithANotary(plain)
      await attempt(plain, PASSWORD, known)
      const refused = new Problem('too-many-attempts', 'crowded', { retryAfter: seconds(5) })
      const amongStrangers = () => Promise.reject(refused)
      const crowded: TestSystem = { ...plain, passwords: { ...plain.passwords, amongStrangers } }
      const countAttempts = async () =>
        (await plain.db.selectFrom('attempts').select('key').execute()).length
      const before = await countAttempts()
      const elsewhere = { browser: null, ip: '203.0.113.77' }
      await expect(attempt(crowded, PASSWORD, elsewhere)).rejects.toEqual(refusal(5_000))
      const otherBrowser = { browser: sha256('of a stranger'), ip: '203.0.113.78' }
      await expect(attempt(crowded, PASSWORD, otherBrowser)).rejects.toEqual(refusal(5_000))
      expect(await countAttempts()).toBe(before)
      expect(await attempt(crowded, PASSWORD, known)).toMatchObject({ kind: 'signed-in' })
    })

    test('fifty at once are counted as fifty', async () => {
      const system = current()
      await anOfficeWithANotary(system)
      const settled = await Promise.allSettled(
        Array.from({ length: 50 }, () => attempt(system, 'mal')),
      )
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    })
  })
})
