import { expect, test } from 'vitest'
import { replaceWebauthnCredentialState } from '#server/db/factors/webauthn-credentials.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { hours, minutes, seconds } from '#server/domain/time.ts'
import { beginTotp, readPendingTotp } from '#server/features/mfa/begin-totp.ts'
import { disableTotp } from '#server/features/mfa/disable-totp.ts'
import { listFactors } from '#server/features/mfa/list-factors.ts'
import { regenerateBackupCodes } from '#server/features/mfa/regenerate-backup-codes.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { verifyTotpSetup } from '#server/features/mfa/verify-totp-setup.ts'
import { stranger } from '#tests/support/builders.ts'
import { judge } from '#tests/support/judges.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import {
  alerts,
  aSignedInUser,
  recorded,
  shown,
  withApp,
} from '#tests/support/keys/second-factors.ts'
import { openSignIn, registeredKey } from '#tests/support/keys/security-keys.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('setting up an authenticator app', (current) => {
  test('the app counts once a code confirmed it; the first factor brings ten backup codes', async () => {
    const system = current()
    const { person, user } = await aSignedInUser(system)
    const begun = await beginTotp(system, person)
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.uri).toContain(`secret=${begun.secret}`)
    expect(begun.uri).toContain(encodeURIComponent(user.email))
    expect(begun.qr.path).toMatch(/^M\d/)
    expect(await readPendingTotp(system, person)).toEqual(begun)
    expect((await listFactors(system, person)).totp).toBeNull()

    const code = judge('oathtool')(
      '--totp',
      '--base32',
      `--now=${new Date(system.clock.now()).toISOString().replace('T', ' ').replace('.000Z', ' UTC')}`,
      begun.secret,
    ).output.trim()
    const outcome = await verifyTotpSetup(system, person, {
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    })
    if (outcome.kind !== 'enabled') throw new Error(outcome.kind)
    expect(outcome.backupCodes).toHaveLength(10)
    for (const one of outcome.backupCodes ?? [])
      expect(one).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    expect(await readPendingTotp(system, person)).toBeNull()
    expect(await listFactors(system, person)).toEqual({
      totp: { id: begun.factorId, since: system.clock.now(), lastUsed: system.clock.now() },
      keys: [],
      backupCodes: { left: 10, total: 10, createdAt: system.clock.now() },
    })
    expect(await recorded(system)).toEqual([
      'totp.begun success {}',
      'totp.enabled success {"replaced":0}',
      'backup-codes.created success {"codes":10}',
    ])
    expect(await alerts(system)).toEqual(['factors-changed information'])
    const stored = await system.db
      .selectFrom('sessions')
      .select(['second_factor', 'generation'])
      .where('id', '=', person.sessionId)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ second_factor: 'TOTP', generation: 2 })
  })

  test('the code that set it up opens nothing more', async () => {
    const system = current()
    const { person, user } = await aSignedInUser(system)
    const { secret } = await beginTotp(system, person)
    const code = shown(system, secret)
    await verifyTotpSetup(system, person, { code })
    const token = await openSignIn(system, user)
    expect(
      await verifySecondFactor(system, stranger(), token, { method: 'TOTP', code }),
    ).toMatchObject({ kind: 'refused', hint: 'replayed' })
  })

  test('a wrong code changes nothing, and an old one is told apart', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    const { secret } = await beginTotp(system, person)
    const now = system.clock.now()
    expect(await verifyTotpSetup(system, person, { code: 'abc' })).toEqual({
      kind: 'refused',
      serverTime: now,
    })
    const old = codeAt(secret, (now - minutes(3)) as typeof now)
    expect(await verifyTotpSetup(system, person, { code: old })).toEqual({
      kind: 'refused',
      hint: 'clock',
      serverTime: now,
    })
    expect(await recorded(system)).toEqual([
      'totp.begun success {}',
      'totp.refused refused {"reason":"wrong-code"}',
      'totp.refused refused {"reason":"old-code"}',
    ])
    expect((await listFactors(system, person)).totp).toBeNull()
  })

  test('a new secret replaces the one that waits; the app that counts, only when it is confirmed', async () => {
    const system = current()
    const { person, user } = await aSignedInUser(system)
    const first = await withApp(system, person)
    const forgotten = await beginTotp(system, person)
    const second = await beginTotp(system, person)
    expect(
      await verifyTotpSetup(system, person, { code: shown(system, forgotten.secret) }),
    ).toMatchObject({ kind: 'refused' })
    const still = { method: 'TOTP', code: shown(system, first.secret) } as const
    expect(
      await verifySecondFactor(system, stranger(), await openSignIn(system, user), still),
    ).toMatchObject({ kind: 'signed-in' })

    const outcome = await verifyTotpSetup(system, person, { code: shown(system, second.secret) })
    expect(outcome).toMatchObject({ kind: 'enabled' })
    // The codes on paper stay good.
    expect(outcome).not.toHaveProperty('backupCodes')
    system.wait(seconds(30))
    const before = { method: 'TOTP', code: shown(system, first.secret) } as const
    expect(
      await verifySecondFactor(system, stranger(), await openSignIn(system, user), before),
    ).toMatchObject({ kind: 'refused' })
    expect((await recorded(system)).slice(-2)).toEqual([
      'totp.enabled success {"replaced":1}',
      'session.second-factor-refused refused {"attemptsLeft":4,"factor":"TOTP","reason":"wrong-code"}',
    ])
  })

  test('TOTP set-up: an unconfirmed secret expires after an hour', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    const { secret } = await beginTotp(system, person)
    system.wait(hours(1))
    const fresh: Person = { ...person, provenAt: system.clock.now() }
    expect(await readPendingTotp(system, fresh)).toBeNull()
    expect(await verifyTotpSetup(system, fresh, { code: shown(system, secret) })).toEqual({
      kind: 'gone',
    })
  })

  test('TOTP set-up: twenty starts leave one pending secret', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    await Promise.all(Array.from({ length: 20 }, () => beginTotp(system, person)))
    const rows = await system.db.selectFrom('totp_factors').select('state').execute()
    expect(rows.filter(({ state }) => state === 'pending')).toHaveLength(1)
    expect(rows).toHaveLength(20)
  })

  test('TOTP set-up: one of twenty confirmations succeeds, with one set of codes', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    const { secret } = await beginTotp(system, person)
    const code = shown(system, secret)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => verifyTotpSetup(system, person, { code })),
    )
    expect(outcomes.filter(({ kind }) => kind === 'enabled')).toHaveLength(1)
    expect(outcomes.filter(({ kind }) => kind === 'gone')).toHaveLength(19)
    expect((await listFactors(system, person)).backupCodes).toMatchObject({ total: 10 })
    expect((await recorded(system)).slice(1)).toEqual([
      'totp.enabled success {"replaced":0}',
      'backup-codes.created success {"codes":10}',
    ])
  })

  test('only who proved a short time ago who they are may change anything', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    await withApp(system, person)
    system.wait(minutes(10))
    for (const change of [
      () => beginTotp(system, person),
      () => readPendingTotp(system, person),
      () => verifyTotpSetup(system, person, { code: '123456' }),
      () => disableTotp(system, person),
      () => regenerateBackupCodes(system, person),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'step-up-needed' })
      expect(await listFactors(system, person)).toMatchObject({
        totp: expect.anything(),
        keys: [],
      })
    }
    await expect(beginTotp(system, stranger())).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})

onEachSystem('removing an authenticator app', (current) => {
  test('with the last factor the backup codes go', async () => {
    const system = current()
    const { person, user } = await aSignedInUser(system)
    const { secret, backupCodes } = await withApp(system, person)
    const from = (await system.log()).length
    await disableTotp(system, person)
    expect(await listFactors(system, person)).toEqual({ totp: null, keys: [], backupCodes: null })
    const token = await openSignIn(system, user)
    for (const proof of [
      { method: 'TOTP', code: shown(system, secret) },
      { method: 'BACKUP_CODE', code: backupCodes[0] ?? '' },
    ] as const)
      expect(await verifySecondFactor(system, stranger(), token, proof)).toMatchObject({
        kind: 'refused',
      })
    expect(await recorded(system, from)).toEqual([
      'totp.disabled success {"backupCodesEnded":10}',
      'session.second-factor-refused refused {"attemptsLeft":4,"factor":"TOTP","reason":"no-such-factor"}',
      'session.second-factor-refused refused {"attemptsLeft":3,"factor":"BACKUP_CODE","reason":"no-such-factor"}',
    ])
    await expect(disableTotp(system, person)).rejects.toMatchObject({ code: 'not-found' })
    await expect(regenerateBackupCodes(system, person)).rejects.toMatchObject({
      code: 'second-factor-needed',
    })
  })

  test('second factor: the last one stays if the office requires one', async () => {
    const system = current()
    const { person } = await aSignedInUser(system, { secondFactorGrace: hours(1) })
    await withApp(system, person)
    await expect(disableTotp(system, person)).rejects.toMatchObject({ code: 'last-factor' })
    expect((await listFactors(system, person)).totp).not.toBeNull()
    expect((await listFactors(system, person)).backupCodes).toMatchObject({ left: 10 })
  })
})

onEachSystem('beside a security key', (current) => {
  test('the app and its codes may go and come', async () => {
    const system = current()
    const { person } = await aSignedInUser(system, { secondFactorGrace: hours(1) })
    await withApp(system, person)
    await registeredKey(system, person)
    const from = (await system.log()).length
    await disableTotp(system, person)
    expect(await recorded(system, from)).toEqual(['totp.disabled success {"backupCodesEnded":0}'])
    const { totp, keys, backupCodes } = await listFactors(system, person)
    expect([totp, keys.length, backupCodes?.left]).toEqual([null, 1, 10])
  })

  test('suspect key: the app cannot be removed, since the key alone opens nothing', async () => {
    const system = current()
    const { person } = await aSignedInUser(system)
    await withApp(system, person)
    const { credential } = await registeredKey(system, person)
    const change = { at: system.clock.now(), by: null }
    await system.db.transaction((trx) =>
      replaceWebauthnCredentialState(trx, credential.id, ['active'], 'suspect', change),
    )
    await expect(disableTotp(system, person)).rejects.toMatchObject({ code: 'last-factor' })
  })
})

onEachSystem('new backup codes', (current) => {
  test('replace those of before, and no code is in the database', async () => {
    const system = current()
    const { person, user } = await aSignedInUser(system)
    const { backupCodes } = await withApp(system, person)
    const { codes } = await regenerateBackupCodes(system, person)
    expect(new Set([...codes, ...backupCodes]).size).toBe(20)
    const token = await openSignIn(system, user)
    const old = { method: 'BACKUP_CODE', code: backupCodes[0] ?? '' } as const
    expect(await verifySecondFactor(system, stranger(), token, old)).toMatchObject({
      kind: 'refused',
    })
    const young = { method: 'BACKUP_CODE', code: codes[9]?.toLowerCase() ?? '' } as const
    expect(await verifySecondFactor(system, stranger(), token, young)).toMatchObject({
      kind: 'signed-in',
    })
    const rows = await system.db.selectFrom('backup_codes').selectAll().execute()
    const dump = rows.map((row) => `${row.salt}${Buffer.from(row.code_hash)}${row.id}`).join()
    for (const code of codes) expect(dump).not.toContain(code.replaceAll('-', ''))
    expect(rows.every((row) => row.code_hash.length === 32)).toBe(true)
  })
})
