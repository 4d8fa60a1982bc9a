import { expect, test } from 'vitest'
import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { AssertionAnswer } from '#server/domain/identity/webauthn-answer.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { minutes } from '#server/domain/time.ts'
import { beginWebauthnAuthentication } from '#server/features/mfa/begin-webauthn-authentication.ts'
import { beginWebauthnRegistration } from '#server/features/mfa/begin-webauthn-registration.ts'
import { checkAssertion } from '#server/features/mfa/check-assertion.ts'
import { removeWebauthnCredential } from '#server/features/mfa/remove-webauthn-credential.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { openSignIn, registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import {
  type Algorithm,
  type KeySettings,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from '#tests/support/keys/software-authenticator.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

type Owner = {
  system: TestSystem
  user: User
  person: Person
  key: SoftwareAuthenticator
  credential: WebauthnCredential
}

onEachSystem('using a security key', (current) => {
  async function owner(settings: Partial<KeySettings> = {}): Promise<Owner> {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    const person = await signedIn(system, user)
    const registered = await registeredKey(system, person, softwareAuthenticator(settings))
    return { system, user, person, ...registered }
  }

  const questionOf = (
    { user, person }: Pick<Owner, 'user' | 'person'>,
    response: AssertionAnswer,
  ) => ({
    ...{ actor: person, userId: user.id, bearer: person.sessionId, response },
    requireUserVerification: true,
  })

  /** As the use cases do: check, commit, record. */
  async function use(
    { system, user, person }: Owner,
    response: AssertionAnswer,
    asked: { bearer?: Person['sessionId']; requireUserVerification?: boolean } = {},
  ): Promise<'accepted' | 'too late' | string> {
    const checked = await checkAssertion(system, {
      ...questionOf({ user, person }, response),
      ...asked,
    })
    return await system.db.transaction(async (trx) => {
      const isDone = await checked.commit(trx)
      await checked.record(trx)
      if (!checked.ok) return checked.reason
      return isDone ? 'accepted' : 'too late'
    })
  }

  const options = ({ system, person }: Owner) => beginWebauthnAuthentication(system, person, {})
  const stored = async ({ system, credential }: Owner) =>
    await findWebauthnCredential(system.db, credential.id)
  const anomalies = async ({ system }: Owner) =>
    (await system.log()).filter(({ action }) => action === 'webauthn.anomaly')
  const keyAlerts = async ({ system }: Owner) =>
    (await listAlertRows(system)).filter(({ kind }) => kind === 'key-anomaly')

  test.each<Algorithm>([-7, -8, -257])(
    'algorithm %i is accepted and counted',
    async (algorithm) => {
      const one = await owner({ algorithm })
      expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
      expect(await stored(one)).toMatchObject({ counter: 2, lastUsedAt: one.system.clock.now() })
      expect(await anomalies(one)).toEqual([])
    },
  )

  test('in a session a PIN is required; after a password it is not', async () => {
    const one = await owner({ isVerified: false })
    const asked = await options(one)
    expect(asked).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: one.key.credentialId, transports: ['usb', 'nfc'] }],
    })
    expect(await use(one, one.key.assert(asked))).toBe('user-not-verified')

    const signInToken = await openSignIn(one.system, one.user)
    const atSignIn = await beginWebauthnAuthentication(one.system, stranger(), { signInToken })
    expect(atSignIn.userVerification).toBe('discouraged')
    const { id } = await one.system.db.selectFrom('sign_ins').select('id').executeTakeFirstOrThrow()
    const response = one.key.assert(atSignIn)
    const bearer = id as Person['sessionId']
    // A challenge without user verification confirms nothing.
    expect(await use(one, response, { bearer })).toBe('unknown-challenge')
    expect(await use(one, response, { bearer, requireUserVerification: false })).toBe('accepted')
  })

  test.each<[string, Partial<KeySettings>]>([
    ['wrong-origin', { origin: 'https://notaria.evil.example' }],
    ['wrong-origin', { clientData: { crossOrigin: true } }],
    ['unreadable', { clientData: { type: 'webauthn.create' } }],
    ['wrong-relying-party', { rpId: 'evil.example' }],
    ['user-not-present', { isPresent: false }],
    ['user-not-verified', { isVerified: false }],
    ['not-genuine', { isCopied: true }],
    ['other-person', { userHandle: Buffer.from('another person').toString('base64url') }],
  ])('refused: %s (%j)', async (reason, settings) => {
    const one = await owner()
    Object.assign(one.key.settings, settings)
    const asked = await options(one)
    expect(await use(one, one.key.assert(asked))).toBe(reason)
    expect(await stored(one)).toEqual(one.credential)
    expect(await use(one, one.key.assert(asked))).toBe('used-challenge')
    expect(await anomalies(one)).toEqual([])
  })

  test('the answer may carry the user handle', async () => {
    const one = await owner()
    one.key.settings.userHandle = Buffer.from(one.user.id).toString('base64url')
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
  })

  test('a forged signature does not mark the key as suspect, with any counter', async () => {
    const one = await owner({ counter: 40 })
    const asked = await options(one)
    const twin = softwareAuthenticator({ counter: 3 })
    const forged = { ...twin.assert(asked), id: one.key.credentialId, rawId: one.key.credentialId }
    expect(await use(one, forged)).toBe('not-genuine')
    expect(await stored(one)).toEqual(one.credential)
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
  })

  test('a challenge serves its own session, once, for five minutes', async () => {
    const one = await owner()
    const elsewhere = { ...one, person: await signedIn(one.system, one.user) }
    const asked = await options(one)
    expect(await use(elsewhere, one.key.assert(asked))).toBe('unknown-challenge')
    expect(await use(one, one.key.assert(asked))).toBe('accepted')
    expect(await use(one, one.key.assert(asked))).toBe('used-challenge')
    const late = await options(one)
    one.system.wait(minutes(5))
    expect(await use(one, one.key.assert(late))).toBe('expired-challenge')
    const invented = { ...late, challenge: Buffer.alloc(32, 1).toString('base64url') }
    expect(await use(one, one.key.assert(invented))).toBe('unknown-challenge')
  })

  test('a challenge that asks for a new key is none for an old one', async () => {
    const one = await owner()
    const { challenge } = await beginWebauthnRegistration(one.system, one.person)
    expect(await use(one, one.key.assert({ challenge, rpId: 'localhost' }))).toBe(
      'unknown-challenge',
    )
  })

  test('challenge: one of 20 simultaneous answers is accepted', async () => {
    const one = await owner()
    const asked = await options(one)
    const answers = Array.from({ length: 20 }, () => one.key.assert(asked))
    const results = await Promise.all(answers.map((answer) => use(one, answer)))
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1)
    const others = results.filter(
      (result) => !/^(?:accepted|too late|used-challenge)$/.test(result),
    )
    expect(others).toEqual([])
    expect((await stored(one))?.state).toBe('active')
  })

  test('challenge: when the same answer is accepted between the two reads of another request, that one is late, and no copy of the key', async () => {
    const one = await owner()
    const answer = one.key.assert(await options(one))
    const { db } = one.system
    let reads = 0
    const paused = Object.create(db, {
      selectFrom: {
        value: (table: 'webauthn_challenges') => {
          reads += 1
          const query = db.selectFrom(table)
          return reads === 2 ? after(query, async () => void (await use(one, answer))) : query
        },
      },
    })
    const later = await checkAssertion({ ...one.system, db: paused }, questionOf(one, answer))
    expect(later).toMatchObject({ ok: false, reason: 'used-challenge' })
    expect((await stored(one))?.state).toBe('active')
  })

  test.each([0, 5])('a key that counted to 5 and now says %i is suspect', async (counter) => {
    const one = await owner({ counter: 5 })
    // The software counts before it signs.
    one.key.settings.counter = counter === 0 ? 0 : counter - 1
    const asked = await options(one)
    expect(await use(one, one.key.assert(asked))).toBe('counter-rewound')
    expect(await stored(one)).toMatchObject({ state: 'suspect', counter: 5, lastUsedAt: null })
    const [event, ...others] = await anomalies(one)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      result: 'refused',
      subject: { kind: 'second-factor', id: one.credential.id },
      details: { anomaly: 'counter-rewound', name: 'YubiKey 5 NFC', counterBefore: 5, counter },
    })
    expect(await keyAlerts(one)).toMatchObject([
      { user_id: one.user.id, severity: 'danger', subject_id: one.credential.id },
      { user_id: null, severity: 'danger', subject_id: one.credential.id },
    ])

    // It is not offered any more and is refused.
    await expect(options(one)).rejects.toMatchObject({ code: 'factor-refused' })
    const second = await registeredKey(one.system, one.person)
    one.key.settings.counter = 50
    expect(await use(one, one.key.assert(await options(one)))).toBe('suspect-key')
    expect(await use(one, second.key.assert(await options(one)))).toBe('accepted')
    expect(await anomalies(one)).toHaveLength(1)
  })

  test('copy of a key: two answers that show it at once raise one alert for the owner and one for the office, and log one event', async () => {
    const one = await owner({ counter: 5 })
    one.key.settings.counter = 2
    const [first, second] = [await options(one), await options(one)]
    const checked = [
      await checkAssertion(one.system, questionOf(one, one.key.assert(first))),
      await checkAssertion(one.system, questionOf(one, one.key.assert(second))),
    ]
    for (const each of checked) {
      expect(each).toMatchObject({ ok: false, reason: 'counter-rewound' })
      await one.system.db.transaction(async (trx) => {
        await each.commit(trx)
        await each.record(trx)
      })
    }
    expect(await anomalies(one)).toHaveLength(1)
    expect((await keyAlerts(one)).map(({ user_id }) => user_id)).toEqual([one.user.id, null])
  })

  test('key that was removed, or became suspect, after its answer was checked: authorizes nothing', async () => {
    const one = await owner({ counter: 5 })
    const second = await registeredKey(one.system, one.person)
    // Without this one the second could not be removed.
    await registeredKey(one.system, one.person)
    const check = async (key: SoftwareAuthenticator) =>
      await checkAssertion(one.system, questionOf(one, key.assert(await options(one))))
    const isAuthorized = (checked: Awaited<ReturnType<typeof check>>) =>
      one.system.db.transaction(async (trx) => checked.ok && (await checked.commit(trx)))

    const [later, before] = [await options(one), await check(one.key)]
    one.key.settings.counter = 1
    expect(await use(one, one.key.assert(later))).toBe('counter-rewound')
    expect([before.ok, await isAuthorized(before)]).toEqual([true, false])

    const removed = await check(second.key)
    await removeWebauthnCredential(one.system, one.person, { credentialId: second.credential.id })
    expect([removed.ok, await isAuthorized(removed)]).toEqual([true, false])
  })

  test('a key that never counts may go on so, and may begin to', async () => {
    const one = await owner({ counter: 0 })
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    one.key.settings.counter = 9
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    expect((await stored(one))?.counter).toBe(10)
  })

  test('a key that becomes copyable is another one', async () => {
    const one = await owner()
    one.key.settings.isCopyable = true
    expect(await use(one, one.key.assert(await options(one)))).toBe('device-type-changed')
    expect(await stored(one)).toMatchObject({ state: 'suspect', deviceType: 'single-device' })
    expect((await anomalies(one)).map(({ details }) => details.anomaly)).toEqual([
      'device-type-changed',
    ])
  })

  test('a copy that comes or goes is told, and accepted', async () => {
    const one = await owner({ isCopyable: true })
    one.key.settings.isCopied = true
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    one.key.settings.isCopied = false
    expect(await use(one, one.key.assert(await options(one)))).toBe('accepted')
    expect(await stored(one)).toMatchObject({ state: 'active', backup: 'not-backed-up' })
    expect((await anomalies(one)).map(({ result, details }) => [result, details.anomaly])).toEqual([
      ['success', 'backed-up'],
      ['success', 'not-backed-up'],
    ])
    expect((await keyAlerts(one)).map(({ severity, user_id }) => [severity, user_id])).toEqual([
      ['warning', one.user.id],
      ['warning', one.user.id],
    ])
  })

  test('a removed key, a key of another user, and an unknown one', async () => {
    const one = await owner()
    const second = await registeredKey(one.system, one.person)
    const asked = await options(one)
    await removeWebauthnCredential(one.system, one.person, { credentialId: one.credential.id })
    expect(await use(one, one.key.assert(asked))).toBe('removed-key')

    const other = await storedUser(one.system.db, await storedOffice(one.system.db, { number: 13 }))
    const theirs = await registeredKey(one.system, await signedIn(one.system, other))
    expect(await use(one, theirs.key.assert(await options(one)))).toBe('unknown-key')
    expect(await use(one, softwareAuthenticator().assert(await options(one)))).toBe('unknown-key')
    expect(await use(one, second.key.assert(await options(one)))).toBe('accepted')
  })

  test('options are for who has a session or an open sign-in, and a key', async () => {
    const { system, user } = await owner()
    const begin = (signInToken?: Awaited<ReturnType<typeof openSignIn>>) =>
      beginWebauthnAuthentication(system, stranger(), { signInToken })
    await expect(begin()).rejects.toMatchObject({ code: 'not-signed-in' })
    const late = await openSignIn(system, user)
    system.wait(minutes(10))
    await expect(begin(late)).rejects.toMatchObject({ code: 'not-signed-in' })
    const without = await storedUser(system.db, await storedOffice(system.db, { number: 14 }))
    await expect(begin(await openSignIn(system, without))).rejects.toMatchObject({
      code: 'factor-refused',
    })
  })
})

/** The query, before which something else happens. */
function after<Query extends object>(query: Query, happens: () => Promise<void>): Query {
  return new Proxy(query, {
    get(target, name) {
      const found = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      if (name !== 'executeTakeFirst')
        return (...given: unknown[]) => after(Reflect.apply(found, target, given), happens)
      return async () => {
        await happens()
        return await Reflect.apply(found, target, [])
      }
    },
  })
}
