import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Origin } from '#server/domain/identity/actor.ts'
import { UserId } from '#server/domain/ids.ts'
import { after, minutes, seconds } from '#server/domain/time.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { liftLock, liftLockOnServer } from '#server/features/users/lift-lock.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import { readUser } from '#server/features/users/read-user.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { withApp } from '#tests/support/keys/second-factors.ts'
import { openSignIn } from '#tests/support/keys/security-keys.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo correcto batería'
const NEW: Partial<Origin> = { browser: null, ip: '198.51.100.1' }

async function anOfficeWithPasswords(system: TestSystem) {
  const staff = await anOfficeWithStaff(system)
  const hash = await system.passwords.hash(PASSWORD)
  const user = await storedUser(system.db, staff.office, ['LAWYER'], { lastName: 'Paz' }, hash)
  const { person } = await newSession(system, { user, office: staff.office })
  return { ...staff, user, person }
}

type Attempt = { password?: string; from?: Partial<Origin> }

const attempt = (
  system: TestSystem,
  email: string,
  { password = 'mal', from = NEW }: Attempt = {},
) => signIn(system, stranger(from), SignIn.parse({ email, password }))

async function spend(system: TestSystem, email: string, from: Partial<Origin> = NEW) {
  for (let turn = 0; turn < 12; turn += 1) await outcomeOf(attempt(system, email, { from }))
}

onEachSystem('locks of an account', (current) => {
  test('lock by account and network: an administrator sees and lifts it', async () => {
    const system = current()
    const { admin, user } = await anOfficeWithPasswords(system)
    await spend(system, user.email)
    const right = { password: PASSWORD }
    expect(await outcomeOf(attempt(system, user.email, right))).toBe('too-many-attempts')
    const locks = async () =>
      (await readUser(system, admin.person, { userId: user.id })).access?.locks
    const until = after(system.clock.now(), seconds(30))
    expect(await locks()).toEqual([{ step: 'password', from: 'network', count: 1, until }])

    const recorded = await watchLog(system)
    expect(await liftLock(system, admin.person, { userId: user.id })).toBe(1)
    expect(await recorded()).toEqual(['session.lock-lifted success'])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { userId: admin.user.id },
      subject: { kind: 'user', id: user.id },
      details: { locks: 1 },
    })
    expect(await locks()).toEqual([])
    expect(await attempt(system, user.email, right)).toMatchObject({ kind: 'signed-in' })
  })

  test('lock by account: of all new devices, and of every network that was refused', async () => {
    const system = current()
    const { admin, user } = await anOfficeWithPasswords(system)
    for (let turn = 0; turn < 20; turn += 1)
      await spend(system, user.email, { browser: null, ip: `198.51.100.${turn}` })
    const elsewhere = { password: PASSWORD, from: { browser: null, ip: '192.0.2.77' } }
    expect(await outcomeOf(attempt(system, user.email, elsewhere))).toBe('too-many-attempts')
    const { access } = await readUser(system, admin.person, { userId: user.id })
    expect(access?.locks.map(({ from, count }) => [from, count]).toSorted()).toEqual([
      ['anywhere', 1],
      ['network', 20],
    ])
    expect(await liftLock(system, admin.person, { userId: user.id })).toBe(21)
    for (let turn = 0; turn < 20; turn += 1)
      expect(
        await attempt(system, user.email, {
          password: PASSWORD,
          from: { browser: null, ip: `198.51.100.${turn}` },
        }),
      ).toMatchObject({ kind: 'signed-in' })
  }, 60_000)

  test('lock of a known device, and of the second factor', async () => {
    const system = current()
    const { admin, user, person } = await anOfficeWithPasswords(system)
    const { secret } = await withApp(system, person)
    await spend(system, user.email, {})
    const code = { method: 'TOTP', code: '000000' } as const
    const from = stranger({ browser: sha256('new'), ip: '198.51.100.9' })
    for (let turn = 0; turn < 6; turn += 1)
      await outcomeOf(verifySecondFactor(system, from, await openSignIn(system, user), code))
    const { access } = await readUser(system, admin.person, { userId: user.id })
    expect(access?.locks.map(({ step, from }) => [step, from])).toEqual([
      ['password', 'device'],
      ['second-factor', 'network'],
    ])
    expect(await liftLock(system, admin.person, { userId: user.id })).toBe(2)
    expect(secret).not.toBe('')
    expect(await attempt(system, user.email, { password: PASSWORD, from: {} })).toMatchObject({
      kind: 'second-factor-next',
    })
  })

  test('list of users: marks those whose page shows a lock, for those who see that page', async () => {
    const system = current()
    const { admin, user, person, clerk, second } = await anOfficeWithPasswords(system)
    const listed = async (of = admin.person) => {
      const found = await listUsers(system, of)
      return found.reach === 'whole' ? [...found.locked].toSorted() : undefined
    }
    const onPages = async () => {
      const users = [admin, second, clerk].map((one) => one.user.id).concat(user.id)
      const pages = users.map((userId) => readUser(system, admin.person, { userId }))
      const locked = (await Promise.all(pages)).filter((page) => page.access?.locks.length)
      return locked.map((page) => page.user.id).toSorted()
    }
    for (let turn = 0; turn < 4; turn += 1) await attempt(system, user.email)
    expect(await listed()).toEqual([])
    // Before the locks, of which the shortest take 30 seconds.
    await withApp(system, person)
    await withApp(system, second.person)
    // Known device of one, new network of another, second factor of a third.
    await spend(system, user.email, {})
    await spend(system, clerk.user.email, { browser: null, ip: '198.51.100.2' })
    const from = stranger({ browser: sha256('new'), ip: '198.51.100.9' })
    const code = { method: 'TOTP', code: '000000' } as const
    for (let turn = 0; turn < 6; turn += 1)
      await outcomeOf(verifySecondFactor(system, from, await openSignIn(system, second.user), code))
    const all = [user, clerk.user, second.user].map(({ id }) => id).toSorted()
    expect(await onPages()).toEqual(all)
    expect(await listed()).toEqual(all)
    expect(await listed(clerk.person)).toBeUndefined()
    for (const wait of [seconds(31), minutes(14), minutes(46)]) {
      system.wait(wait)
      expect(await listed()).toEqual(await onPages())
    }
    expect(await listed()).toEqual([])
  })

  test('locks of others stay', async () => {
    const system = current()
    const { admin, user, clerk } = await anOfficeWithPasswords(system)
    await spend(system, user.email)
    await spend(system, clerk.user.email, { browser: null, ip: '198.51.100.2' })
    await liftLock(system, admin.person, { userId: clerk.user.id })
    expect(await outcomeOf(attempt(system, user.email, { password: PASSWORD }))).toBe(
      'too-many-attempts',
    )
  })

  test('double click: one event', async () => {
    const system = current()
    const { admin, user } = await anOfficeWithPasswords(system)
    await spend(system, user.email)
    const recorded = await watchLog(system)
    const lift = () => liftLock(system, admin.person, { userId: user.id })
    expect((await Promise.all([lift(), lift()])).toSorted()).toEqual([0, 1])
    expect(await recorded()).toEqual(['session.lock-lifted success'])
  })

  test('no lock: nothing is forgotten, and nothing is logged', async () => {
    const system = current()
    const { admin, user } = await anOfficeWithPasswords(system)
    for (let turn = 0; turn < 4; turn += 1) await attempt(system, user.email)
    const recorded = await watchLog(system)
    expect(await liftLock(system, admin.person, { userId: user.id })).toBe(0)
    expect(await recorded()).toEqual([])
    await attempt(system, user.email)
    expect(await outcomeOf(attempt(system, user.email))).toBe('too-many-attempts')
  })

  test('requires the role, a recent proof of identity and the own office', async () => {
    const system = current()
    const { admin, clerk, second, user } = await anOfficeWithPasswords(system)
    await spend(system, user.email)
    const lift = (person: typeof clerk.person, userId = user.id) =>
      outcomeOf(liftLock(system, person, { userId }))
    expect(await lift(clerk.person)).toBe('forbidden')
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }), ['ADMIN'])
    expect(await lift(foreign.person)).toBe('not-found')
    expect(await lift(admin.person, UserId.parse(randomUUID()))).toBe('not-found')
    system.wait(minutes(10))
    expect(await lift(second.person)).toBe('step-up-needed')
  })

  test('on the server: lifted by the operator, who is in the log', async () => {
    const system = current()
    const { user } = await anOfficeWithPasswords(system)
    await spend(system, user.email)
    const lift = () => liftLockOnServer(system, { email: user.email })
    expect(await lift()).toEqual({ name: `${user.firstName} Paz`, locks: 1 })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'session.lock-lifted',
      actor: { kind: 'system', name: 'rubrica lift-lock' },
      subject: { kind: 'user', id: user.id },
    })
    expect(await lift()).toMatchObject({ locks: 0 })
    const unknown = SignIn.shape.email.parse('nadie@notaria.example')
    expect(await outcomeOf(liftLockOnServer(system, { email: unknown }))).toBe('not-found')
  })
})
