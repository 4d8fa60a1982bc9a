import { expect, test } from 'vitest'
import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import type { Token } from '#server/domain/crypto/token.ts'
import { minutes } from '#server/domain/time.ts'
import { beginWebauthnAuthentication } from '#server/features/mfa/begin-webauthn-authentication.ts'
import { stepUp } from '#server/features/mfa/step-up.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { openSignIn, registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('signing in with a security key', (current) => {
  async function owner() {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    const person = await signedIn(system, user)
    const registered = await registeredKey(system, person)
    const before = (await system.log()).length
    const recorded = async () =>
      (await system.log())
        .slice(before)
        .map(({ action, result, details }) => ({ action, result, details }))
    const begin = (signInToken: Token) =>
      beginWebauthnAuthentication(system, stranger(), { signInToken })
    return { system, user, person, recorded, begin, ...registered }
  }
  const method = 'WEBAUTHN'

  test('after the password the key opens a session', async () => {
    const { system, user, key, recorded, begin } = await owner()
    const token = await openSignIn(system, user)
    const response = key.assert(await begin(token))
    const outcome = await verifySecondFactor(system, stranger(), token, { method, response })
    expect(outcome).toMatchObject({ kind: 'signed-in', session: { secondFactor: method } })
    expect(await recorded()).toEqual([
      {
        action: 'session.started',
        result: 'success',
        details: { method: 'second-factor', factor: method, key: 'YubiKey 5 NFC' },
      },
    ])
    const again = await verifySecondFactor(system, stranger(), token, { method, response })
    expect(again).toEqual({ kind: 'gone' })
  })

  test('the challenge of one sign-in is none for another', async () => {
    const { system, user, key, recorded, begin } = await owner()
    const [one, other] = [await openSignIn(system, user), await openSignIn(system, user)]
    const response = key.assert(await begin(one))
    expect(await verifySecondFactor(system, stranger(), other, { method, response })).toMatchObject(
      { kind: 'refused', attemptsLeft: 4 },
    )
    expect(await recorded()).toEqual([
      {
        action: 'session.second-factor-refused',
        result: 'refused',
        details: { factor: method, reason: 'unknown-challenge', attemptsLeft: 4 },
      },
    ])
  })

  test('sign-in with a key: one of 20 identical answers is accepted', async () => {
    const { system, user, person, key, begin } = await owner()
    const token = await openSignIn(system, user)
    const response = key.assert(await begin(token))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        verifySecondFactor(system, stranger(), token, { method, response }),
      ),
    )
    const kinds = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'refused'))
    expect(kinds.filter((kind) => kind === 'signed-in')).toHaveLength(1)
    const sessions = await listSessions(system.db, user.id, system.clock.now())
    expect(sessions.filter(({ id }) => id !== person.sessionId)).toHaveLength(1)
  })

  test('a key that counted backwards opens nothing, and the log has both', async () => {
    const { system, user, key, credential, recorded, begin } = await owner()
    const token = await openSignIn(system, user)
    key.settings.counter = 0
    const response = key.assert(await begin(token))
    const outcome = await verifySecondFactor(system, stranger(), token, { method, response })
    expect(outcome).toMatchObject({ kind: 'refused' })
    expect(await recorded()).toEqual([
      {
        action: 'webauthn.anomaly',
        result: 'refused',
        details: {
          anomaly: 'counter-rewound',
          name: 'YubiKey 5 NFC',
          counterBefore: 1,
          counter: 0,
        },
      },
      {
        action: 'session.second-factor-refused',
        result: 'refused',
        details: { factor: method, reason: 'counter-rewound', attemptsLeft: 4 },
      },
    ])
    expect((await findWebauthnCredential(system.db, credential.id))?.state).toBe('suspect')
  })

  test('in a session the key with its PIN confirms who one is', async () => {
    const { system, person, key, recorded } = await owner()
    system.wait(minutes(11))
    const show = async () => ({
      method: 'WEBAUTHN' as const,
      response: key.assert(await beginWebauthnAuthentication(system, person, {})),
    })
    key.settings.isVerified = false
    expect(await stepUp(system, person, await show())).toMatchObject({ kind: 'refused' })
    key.settings.isVerified = true
    expect(await stepUp(system, person, await show())).toMatchObject({ kind: 'stepped-up' })
    const events = await recorded()
    expect(events.map(({ action }) => action)).toEqual([
      'session.step-up-refused',
      'session.stepped-up',
    ])
    expect(events[0]?.details).toMatchObject({ factor: method, reason: 'user-not-verified' })
    expect(events[1]?.details).toEqual({ factor: method, key: 'YubiKey 5 NFC' })
  })
})
