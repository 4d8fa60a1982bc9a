import { expect, test } from 'vitest'
import { countBackupCodes } from '#server/db/factors/backup-codes.ts'
import { listWebauthnCredentials as listRows } from '#server/db/factors/webauthn-credentials.ts'
import { findSession } from '#server/db/sign-ins/sessions.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { RegistrationOptions } from '#server/domain/identity/webauthn-options.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { beginWebauthnRegistration } from '#server/features/mfa/begin-webauthn-registration.ts'
import { finishWebauthnRegistration } from '#server/features/mfa/finish-webauthn-registration.ts'
import { storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import {
  type Algorithm,
  type KeySettings,
  softwareAuthenticator,
} from '#tests/support/keys/software-authenticator.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

onEachSystem('registering a security key', (current) => {
  async function aSignedInUser(): Promise<{ system: TestSystem; user: User; person: Person }> {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db))
    return { system, user, person: await signedIn(system, user) }
  }

  const recorded = async (system: TestSystem) =>
    (await system.log()).map(({ action, result, details }) => ({ action, result, details }))

  test('a key becomes a second factor, with backup codes the first time', async () => {
    const { system, user, person } = await aSignedInUser()
    const key = softwareAuthenticator()
    const options = await beginWebauthnRegistration(system, person)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Notaría 12 de la Ciudad de México' },
      user: { name: user.email, displayName: 'Ximena Cañedo Íñiguez' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      attestation: 'direct',
    })
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)

    const response = key.register(options)
    const { credential, backupCodes, tokens } = await finishWebauthnRegistration(system, person, {
      response,
    })
    expect(credential).toMatchObject({
      credentialId: key.credentialId,
      name: 'YubiKey 5 NFC',
      algorithm: -7,
      counter: 1,
      transports: ['usb', 'nfc'],
      deviceType: 'single-device',
      backup: 'not-backed-up',
      userVerification: 'verified',
      rpId: 'localhost',
      state: 'active',
    })
    expect(await listRows(system.db, user.id)).toEqual([credential])
    expect(backupCodes).toHaveLength(10)
    expect(tokens.access).toHaveLength(43)
    expect(await countBackupCodes(system.db, user.id)).toMatchObject({ left: 10 })
    expect(await findSession(system.db, person.sessionId)).toMatchObject({
      secondFactor: 'WEBAUTHN',
      generation: 2,
    })
    expect(await recorded(system)).toEqual([
      {
        action: 'webauthn.registered',
        result: 'success',
        details: {
          name: 'YubiKey 5 NFC',
          model: 'YubiKey 5 NFC',
          aaguid: '2fc0579f-8113-47ea-b116-bb5a8db9202a',
          algorithm: -7,
          deviceType: 'single-device',
          backup: 'not-backed-up',
          userVerification: 'verified',
        },
      },
      { action: 'backup-codes.created', result: 'success', details: { codes: 10 } },
    ])
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'factors-changed', user_id: user.id, subject_id: user.id },
    ])
  })

  test('the second key brings no new codes, has its own name and excludes the first', async () => {
    const { system, person } = await aSignedInUser()
    const { key } = await registeredKey(system, person)
    const options = await beginWebauthnRegistration(system, person)
    expect(options.excludeCredentials).toEqual([
      { type: 'public-key', id: key.credentialId, transports: ['usb', 'nfc'] },
    ])
    const response = softwareAuthenticator().register(options)
    const second = await finishWebauthnRegistration(system, person, { response })
    expect(second.credential.name).toBe('YubiKey 5 NFC 2')
    expect(second.backupCodes).toBeUndefined()
  })

  test.each<[Algorithm, KeySettings['attestation']]>([
    [-7, 'packed-self'],
    [-8, 'none'],
    [-8, 'packed-self'],
    [-257, 'none'],
    [-257, 'packed-self'],
  ])('algorithm %i with attestation %s', async (algorithm, attestation) => {
    const { system, person } = await aSignedInUser()
    const key = softwareAuthenticator({ algorithm, attestation })
    const { credential } = await registeredKey(system, person, key)
    expect(credential.algorithm).toBe(algorithm)
  })

  test('a key that says nothing of its model, and one without a PIN', async () => {
    const { system, person } = await aSignedInUser()
    const key = softwareAuthenticator({
      aaguid: '00000000-0000-0000-0000-000000000000',
      isVerified: false,
    })
    const { credential } = await registeredKey(system, person, key)
    expect(credential).toMatchObject({
      name: 'Llave de seguridad',
      userVerification: 'not-verified',
    })
  })

  test.each<[string, Partial<KeySettings>]>([
    ['wrong-origin', { origin: 'http://localhost.evil.example' }],
    ['wrong-origin', { origin: 'https://localhost:3000' }],
    ['wrong-origin', { clientData: { crossOrigin: true } }],
    ['wrong-origin', { clientData: { topOrigin: 'https://evil.example' } }],
    ['unreadable', { clientData: { type: 'webauthn.get' } }],
    ['wrong-relying-party', { rpId: 'evil.example' }],
    ['user-not-present', { isPresent: false }],
    ['wrong-algorithm', { algorithm: -35 }],
    ['not-genuine', { attestation: 'packed-forged' }],
    ['not-genuine', { isCopied: true }],
  ])('refused: %s (%j)', async (reason, settings) => {
    const { system, user, person } = await aSignedInUser()
    const options = await beginWebauthnRegistration(system, person)
    const response = softwareAuthenticator(settings).register(options)
    await expect(finishWebauthnRegistration(system, person, { response })).rejects.toMatchObject({
      code: 'factor-refused',
    })
    expect(await listRows(system.db, user.id)).toEqual([])
    expect(await recorded(system)).toEqual([
      { action: 'webauthn.refused', result: 'refused', details: { reason } },
    ])
    // Right or wrong: a challenge is answered once.
    const right = softwareAuthenticator().register(options)
    await expect(
      finishWebauthnRegistration(system, person, { response: right }),
    ).rejects.toMatchObject({ code: 'factor-refused' })
    expect((await recorded(system)).at(-1)?.details).toEqual({ reason: 'used-challenge' })
  })

  test('a challenge is of no use to another session, later, or twice', async () => {
    const { system, user, person } = await aSignedInUser()
    const elsewhere = await signedIn(system, user)
    const finish = (who: Person, options: RegistrationOptions, key = softwareAuthenticator()) =>
      finishWebauthnRegistration(system, who, { response: key.register(options) })
    const refused = { code: 'factor-refused' }
    const lastReason = async () => (await recorded(system)).at(-1)?.details.reason

    const options = await beginWebauthnRegistration(system, person)
    await expect(finish(elsewhere, options)).rejects.toMatchObject(refused)
    expect(await lastReason()).toBe('unknown-challenge')

    await finish(person, options)
    await expect(finish(person, options)).rejects.toMatchObject(refused)
    expect(await lastReason()).toBe('used-challenge')

    const late = await beginWebauthnRegistration(system, person)
    system.wait(minutes(5))
    await expect(finish(person, late)).rejects.toMatchObject(refused)
    expect(await lastReason()).toBe('expired-challenge')

    await expect(
      finish(person, { ...late, challenge: Buffer.alloc(32).toString('base64url') }),
    ).rejects.toMatchObject(refused)
    expect(await lastReason()).toBe('unknown-challenge')
  })

  test('a key is registered once, whosever it is', async () => {
    const { system, person } = await aSignedInUser()
    const { key } = await registeredKey(system, person)
    const other = await signedIn(
      system,
      await storedUser(system.db, await storedOffice(system.db, { number: 13 })),
    )
    await expect(registeredKey(system, other, key)).rejects.toMatchObject({
      code: 'factor-refused',
    })
    expect((await recorded(system)).at(-1)?.details).toEqual({ reason: 'already-registered' })
  })

  test('registration: one of 20 simultaneous answers is accepted', async () => {
    const { system, user, person } = await aSignedInUser()
    const options = await beginWebauthnRegistration(system, person)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        finishWebauthnRegistration(system, person, {
          response: softwareAuthenticator().register(options),
        }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listRows(system.db, user.id)).toHaveLength(1)
    expect(await countBackupCodes(system.db, user.id)).toMatchObject({ total: 10 })
    const actions = (await recorded(system)).map(({ action }) => action)
    expect(actions.filter((action) => action === 'webauthn.registered')).toHaveLength(1)
    expect(actions.filter((action) => action === 'webauthn.refused')).toHaveLength(19)
  })

  test('a proof of identity older than ten minutes must be renewed first', async () => {
    const { system, person } = await aSignedInUser()
    system.wait(minutes(10))
    await expect(beginWebauthnRegistration(system, person)).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    const response = softwareAuthenticator().register({
      ...({} as RegistrationOptions),
      rp: { id: 'localhost', name: '' },
      challenge: Buffer.alloc(32).toString('base64url'),
    })
    await expect(finishWebauthnRegistration(system, person, { response })).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    await expect(beginWebauthnRegistration(system, stranger())).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    const duty = { ...person, provenAt: system.clock.now(), duty: 'change-password' as const }
    await expect(beginWebauthnRegistration(system, duty)).rejects.toMatchObject({
      code: 'password-change-needed',
    })
    system.wait(seconds(1))
    expect(await system.log()).toEqual([])
  })
})
