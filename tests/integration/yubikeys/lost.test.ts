import { expect, test } from 'vitest'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findWebauthnCredential } from '#server/db/factors/webauthn-credentials.ts'
import { listSessions } from '#server/db/sign-ins/sessions.ts'
import { listYubikeyCredentials } from '#server/db/yubikeys/yubikey-credentials.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import { Problem } from '#server/domain/problem.ts'
import { days } from '#server/domain/time.ts'
import { removeWebauthnCredential } from '#server/features/mfa/remove-webauthn-credential.ts'
import { linkCredential } from '#server/features/yubikeys/link-credential.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { reportYubikeyLost } from '#server/features/yubikeys/report-yubikey-lost.ts'
import { takeBackYubikey } from '#server/features/yubikeys/take-back-yubikey.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aSignedInUser, withApp } from '#tests/support/keys/second-factors.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import {
  assignedYubikey,
  currentYubikey,
  registeredYubikey,
  seen,
} from '#tests/support/keys/yubikeys.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { mailsOf } from '#tests/support/office/mails.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

/** A holder with a security key in a YubiKey of the office, and an administrator. */
async function aHolder(system: TestSystem, office = {}) {
  const holder = await aSignedInUser(system, office)
  const { credential } = await registeredKey(system, holder.person)
  const admin = await storedUser(system.db, holder.office, ['ADMIN'])
  const administrator = asPerson(admin)
  const yubikey = await assignedYubikey(system, administrator, holder.user.id, [credential])
  return { ...holder, credential, admin, administrator, yubikey }
}

const stateOf = async ({ db }: TestSystem, { id }: WebauthnCredential) =>
  (await findWebauthnCredential(db, id))?.state

onEachSystem('lost keys', (current) => {
  test('reported by an administrator, another factor left: credentials and sessions end at once', async () => {
    const system = current()
    const { person, user, office, admin, administrator, credential, yubikey } =
      await aHolder(system)
    await withApp(system, person)
    await signedIn(system, user)
    const detail = await readYubikey(system, administrator, { yubikeyId: yubikey.id })
    expect(detail.credentials).toMatchObject({ end: 'others-left', linked: [{}], others: [] })
    expect(await reportYubikeyLost(system, administrator, seen(yubikey))).toBe('others-left')
    expect(await stateOf(system, credential)).toBe('removed')
    expect(await listHeldFactors(system.db, user.id)).toMatchObject({
      ...{ hasSecondFactor: true, methods: ['TOTP', 'BACKUP_CODE'] },
    })
    expect(await listSessions(system.db, user.id, system.clock.now())).toEqual([])
    expect(await currentYubikey(system, yubikey.id)).toMatchObject({
      ...{ state: 'lost', holderId: user.id, stateBy: admin.id },
    })
    const alerts = (await listAlertRows(system)).filter(({ kind }) => kind === 'yubikey-lost')
    expect(alerts.map(({ user_id }) => user_id).toSorted()).toEqual([user.id, null].toSorted())
    const mails = await mailsOf(system, office)
    expect(mails.filter(({ text }) => text.includes('YubiKey perdida'))).toHaveLength(2)
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'yubikey.lost',
      details: { end: 'others-left', credentials: 1, holder: user.id },
    })
  })

  test('only second factor, reported by an administrator: it opens nothing, and the account still asks for one', async () => {
    const system = current()
    const { user, administrator, credential, yubikey } = await aHolder(system)
    const detail = await readYubikey(system, administrator, { yubikeyId: yubikey.id })
    expect(detail.credentials?.end).toBe('blocked')
    expect(await reportYubikeyLost(system, administrator, seen(yubikey))).toBe('blocked')
    expect(await stateOf(system, credential)).toBe('suspect')
    const factors = await listHeldFactors(system.db, user.id)
    expect(factors.hasSecondFactor).toBe(true)
    expect(factors.methods).not.toContain('WEBAUTHN')
    expect(await listSessions(system.db, user.id, system.clock.now())).toEqual([])
  })

  test('only second factor, reported by its holder: it ends with the backup codes, and their session stays', async () => {
    const system = current()
    const { person, user, credential, yubikey } = await aHolder(system)
    await signedIn(system, user)
    const detail = await readYubikey(system, person, { yubikeyId: yubikey.id })
    expect(detail.credentials?.end).toBe('set-up-again')
    expect(await reportYubikeyLost(system, person, seen(yubikey))).toBe('set-up-again')
    expect(await stateOf(system, credential)).toBe('removed')
    expect(await listHeldFactors(system.db, user.id)).toEqual({
      ...{ hasSecondFactor: false, methods: [] },
    })
    const sessions = await listSessions(system.db, user.id, system.clock.now())
    expect(sessions.map(({ id }) => id)).toEqual([person.sessionId])
  })

  test('without linked credentials: nothing but its state changes', async () => {
    const system = current()
    const { user, person, administrator, credential } = await aHolder(system)
    const other = await assignedYubikey(system, administrator, user.id, [], '2')
    expect(await reportYubikeyLost(system, administrator, seen(other))).toBe('nothing')
    expect(await stateOf(system, credential)).toBe('active')
    const sessions = await listSessions(system.db, user.id, system.clock.now())
    expect(sessions.map(({ id }) => id)).toEqual([person.sessionId])
  })

  test('in stock: lost, and the administrators alone are warned', async () => {
    const system = current()
    const { administrator } = await aHolder(system)
    const yubikey = await registeredYubikey(system, administrator, '3')
    expect(await reportYubikeyLost(system, administrator, seen(yubikey))).toBe('nothing')
    const alerts = (await listAlertRows(system)).filter(({ kind }) => kind === 'yubikey-lost')
    expect(alerts).toMatchObject([{ user_id: null, subject_kind: 'nothing' }])
  })

  test('reported twice at once: one report, one alert for each reader', async () => {
    const system = current()
    const { administrator, yubikey } = await aHolder(system)
    await Promise.all([1, 2].map(() => reportYubikeyLost(system, administrator, seen(yubikey))))
    const events = (await system.log()).filter(({ action }) => action === 'yubikey.lost')
    expect(events).toHaveLength(1)
    const alerts = (await listAlertRows(system)).filter(({ kind }) => kind === 'yubikey-lost')
    expect(alerts).toHaveLength(2)
  })

  test('found again: in stock, its alerts resolved, and what it opened stays closed', async () => {
    const system = current()
    const { administrator, credential, yubikey } = await aHolder(system)
    await reportYubikeyLost(system, administrator, seen(yubikey))
    const lost = await currentYubikey(system, yubikey.id)
    expect(await takeBackYubikey(system, administrator, seen(lost))).toBe('nothing')
    expect(await currentYubikey(system, yubikey.id)).toMatchObject({
      ...{ state: 'in-stock', holderId: null },
    })
    expect(await stateOf(system, credential)).toBe('suspect')
    const alerts = (await listAlertRows(system)).filter(({ kind }) => kind === 'yubikey-lost')
    expect(alerts.map(({ state }) => state)).toEqual(['resolved', 'resolved'])
    expect((await system.log()).at(-1)?.action).toBe('yubikey.found')
  })

  test('taken back: its credentials end, because another person gets it next', async () => {
    const system = current()
    const { person, administrator, credential, yubikey } = await aHolder(system)
    await withApp(system, person)
    expect(await takeBackYubikey(system, administrator, seen(yubikey))).toBe('others-left')
    expect(await stateOf(system, credential)).toBe('removed')
    expect(await listYubikeyCredentials(system.db, yubikey.id)).toEqual([])
  })

  test('report refused: by a colleague who does not have it, and long after the last proof', async () => {
    const system = current()
    const { office, person, yubikey, credential } = await aHolder(system)
    const colleague = asPerson(await storedUser(system.db, office, ['NOTARY']))
    await expect(reportYubikeyLost(system, colleague, seen(yubikey))).rejects.toMatchObject({
      code: 'forbidden',
    })
    system.wait(days(1))
    await expect(reportYubikeyLost(system, person, seen(yubikey))).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    expect(await stateOf(system, credential)).toBe('active')
  })
})

onEachSystem('changes of one key at once', (current) => {
  test('loss, return, unlinking and removal of its credential: one change of the key, and no deadlock', async () => {
    const system = current()
    for (let round = 0; round < 6; round += 1) {
      const { person, administrator, credential, yubikey } = await aHolder(system, {
        number: 20 + round,
      })
      await withApp(system, person)
      const all = await Promise.allSettled([
        reportYubikeyLost(system, person, seen(yubikey)),
        takeBackYubikey(system, administrator, seen(yubikey)),
        linkCredential(system, person, {
          ...{ ...seen(yubikey), credentialId: credential.id, change: 'unlink' },
        }),
        removeWebauthnCredential(system, person, { credentialId: credential.id }),
      ])
      const reasons = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      for (const reason of reasons) expect(reason).toBeInstanceOf(Problem)
      expect((await currentYubikey(system, yubikey.id)).version).toBe(yubikey.version + 1)
      const state = await stateOf(system, credential)
      expect(state).toBe('removed')
    }
  }, 60_000)
})

onEachSystem('linked credentials', (current) => {
  test('linked and unlinked by the holder: with their events, and not twice', async () => {
    const system = current()
    const { person, credential, yubikey, administrator, user } = await aHolder(system)
    const input = { ...seen(yubikey), credentialId: credential.id }
    const other = await assignedYubikey(system, administrator, user.id, [], '2')
    await expect(
      linkCredential(system, person, { ...input, ...seen(other), change: 'link' }),
    ).rejects.toMatchObject({ code: 'credential-linked' })
    await linkCredential(system, person, { ...input, change: 'unlink' })
    await linkCredential(system, person, { ...input, ...seen(other), change: 'link' })
    expect(await listYubikeyCredentials(system.db, other.id)).toEqual([credential.id])
    const actions = (await system.log()).map(({ action }) => action)
    expect(actions.slice(-2)).toEqual(['yubikey.credential-unlinked', 'yubikey.credential-linked'])
  })

  test('credential of another person: as if there were none', async () => {
    const system = current()
    const { administrator, credential } = await aHolder(system)
    const other = await aSignedInUser(system, { number: 8 })
    const boss = asPerson(await storedUser(system.db, other.office, ['ADMIN']))
    const theirs = await assignedYubikey(system, boss, other.user.id)
    await expect(
      linkCredential(system, boss, {
        ...{ ...seen(theirs), credentialId: credential.id, change: 'link' },
      }),
    ).rejects.toMatchObject({ code: 'not-found' })
    await expect(
      linkCredential(system, administrator, {
        ...{ ...seen(theirs), credentialId: credential.id, change: 'link' },
      }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })
})
