import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Origin } from '#server/domain/identity/actor.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { logVainAttempts } from '#server/features/auth/log-vain-attempts.ts'
import { SignIn, signIn } from '#server/features/auth/sign-in.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { shown, withApp } from '#tests/support/keys/second-factors.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PASSWORD = 'caballo correcto batería'
const DESK: Partial<Origin> = { browser: sha256('desk'), device: 'Chrome en Windows' }
const PHONE: Partial<Origin> = {
  browser: sha256('phone'),
  device: 'Safari en iPhone',
  ip: '198.51.100.4',
}
/** Keeps no cookies. */
const PRIVATE: Partial<Origin> = { browser: null, device: 'Firefox en Linux', ip: '198.51.100.8' }

async function aNotary(system: TestSystem) {
  const office = await storedOffice(system.db)
  const hash = await system.passwords.hash(PASSWORD)
  const user = await storedUser(system.db, office, ['NOTARY'], {}, hash)
  const { person } = await newSession(system, { user, office }, DESK)
  const { secret } = await withApp(system, person)
  // Setting it up is an alert of its own.
  await system.db.transaction(async (trx) => {
    await trx.deleteFrom('alerts').execute()
    await trx.deleteFrom('outbox').execute()
  })
  return { user, secret }
}

type Notary = Awaited<ReturnType<typeof aNotary>>

/** Types the password and the code, each wrong so many times before. */
async function signInFrom(
  system: TestSystem,
  { user, secret }: Notary,
  device: Partial<Origin>,
  wrong = { passwords: 0, codes: 0 },
) {
  const from = stranger(device)
  const enter = (password: string) =>
    signIn(system, from, SignIn.parse({ email: user.email, password }))
  for (let turn = 0; turn < wrong.passwords; turn += 1)
    expect(await enter('caballo correcta batería')).toEqual({ kind: 'refused' })
  const outcome = await enter(PASSWORD)
  if (outcome.kind !== 'second-factor-next') throw new Error(outcome.kind)
  const prove = (code: string) =>
    verifySecondFactor(system, from, outcome.token, { method: 'TOTP', code })
  for (let turn = 0; turn < wrong.codes; turn += 1)
    expect(await prove('000000')).toMatchObject({ kind: 'refused' })
  system.wait(seconds(30))
  expect(await prove(shown(system, secret))).toMatchObject({ kind: 'signed-in' })
}

async function pass(system: TestSystem, count: number) {
  for (let minute = 0; minute < count; minute += 1) {
    system.wait(minutes(1))
    await logVainAttempts(system)
  }
}

const told = async ({ db }: TestSystem) => ({
  alerts: await db.selectFrom('alerts').select(['kind', 'occurrences']).orderBy('at').execute(),
  mails: (await db.selectFrom('outbox').select('kind').execute()).length,
})

onEachSystem('30 minutes of normal use', (current) => {
  test('two devices, a wrong password and a wrong code: one alert and one mail', async () => {
    const system = current()
    const notary = await aNotary(system)
    await signInFrom(system, notary, DESK)
    await pass(system, 4)
    await signInFrom(system, notary, DESK, { passwords: 1, codes: 0 })
    await pass(system, 4)
    await signInFrom(system, notary, PHONE)
    await pass(system, 4)
    await signInFrom(system, notary, DESK, { passwords: 0, codes: 1 })
    await pass(system, 4)
    await signInFrom(system, notary, PHONE, { passwords: 2, codes: 2 })
    await pass(system, 4)
    await signInFrom(system, notary, PHONE)
    await signInFrom(system, notary, DESK)
    await pass(system, 6)
    expect(await told(system)).toEqual({
      alerts: [{ kind: 'new-device', occurrences: 1 }],
      mails: 1,
    })
  })

  test('ten sign-ins in windows without cookies: one alert that counts them, and one mail', async () => {
    const system = current()
    const notary = await aNotary(system)
    for (let turn = 0; turn < 10; turn += 1) {
      await signInFrom(system, notary, PRIVATE)
      await pass(system, 2)
    }
    expect(await told(system)).toEqual({
      alerts: [{ kind: 'new-device', occurrences: 10 }],
      mails: 1,
    })
  })

  test('a person who forgot the password: one alert and one mail', async () => {
    const system = current()
    const notary = await aNotary(system)
    for (let turn = 0; turn < 15; turn += 1) {
      await signIn(
        system,
        stranger(PHONE),
        SignIn.parse({ email: notary.user.email, password: `no recuerdo ${turn}` }),
      ).catch(() => undefined)
      await pass(system, 2)
    }
    const { alerts, mails } = await told(system)
    expect(alerts.map(({ kind }) => kind)).toEqual(['repeated-failures'])
    expect(mails).toBe(1)
  })
})
