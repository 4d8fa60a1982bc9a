import { expect, test } from 'vitest'
import { countBackupCodes } from '#server/db/factors/backup-codes.ts'
import { replaceWebauthnCredentialState } from '#server/db/factors/webauthn-credentials.ts'
import { type Duration, hours, minutes } from '#server/domain/time.ts'
import { listWebauthnCredentials } from '#server/features/mfa/list-webauthn-credentials.ts'
import { removeWebauthnCredential } from '#server/features/mfa/remove-webauthn-credential.ts'
import {
  RenameWebauthnCredential,
  renameWebauthnCredential,
} from '#server/features/mfa/rename-webauthn-credential.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem("a user's security keys", (current) => {
  async function aSignedInUser(secondFactorGrace: Duration | null = null) {
    const system = current()
    const user = await storedUser(system.db, await storedOffice(system.db, { secondFactorGrace }))
    const person = await signedIn(system, user)
    const { credential } = await registeredKey(system, person)
    return { system, user, person, credential }
  }
  const last = async () => (await current().log()).at(-1)

  test('they are listed with their model', async () => {
    const { system, person, credential } = await aSignedInUser()
    expect(await listWebauthnCredentials(system, person)).toEqual([
      { ...credential, model: 'YubiKey 5 NFC' },
    ])
  })

  test('a key is renamed, and the log keeps its former name', async () => {
    const { system, person, credential } = await aSignedInUser()
    const input = RenameWebauthnCredential.parse({
      credentialId: credential.id,
      name: '  Llave   de la caja fuerte ',
    })
    await renameWebauthnCredential(system, person, input)
    expect((await listWebauthnCredentials(system, person))[0]?.name).toBe('Llave de la caja fuerte')
    expect(await last()).toMatchObject({
      action: 'webauthn.renamed',
      subject: { kind: 'second-factor', id: credential.id },
      details: { before: 'YubiKey 5 NFC', name: 'Llave de la caja fuerte' },
    })
    const events = (await system.log()).length
    await renameWebauthnCredential(system, person, input)
    expect(await system.log()).toHaveLength(events)
  })

  test('the last one goes together with the backup codes', async () => {
    const { system, user, person, credential } = await aSignedInUser()
    await removeWebauthnCredential(system, person, { credentialId: credential.id })
    expect(await listWebauthnCredentials(system, person)).toEqual([])
    expect(await countBackupCodes(system.db, user.id)).toBeUndefined()
    expect(await last()).toMatchObject({
      action: 'webauthn.removed',
      details: { name: 'YubiKey 5 NFC', model: 'YubiKey 5 NFC', backupCodesEnded: 10 },
    })
    const alerts = await listAlertRows(system)
    expect(alerts.map(({ facts }) => JSON.parse(facts).change).toSorted()).toEqual([
      'key-registered',
      'key-removed',
    ])
    await expect(
      removeWebauthnCredential(system, person, { credentialId: credential.id }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('the last one stays where the office demands a second factor', async () => {
    const { system, user, person, credential } = await aSignedInUser(hours(1))
    const remove = (id: typeof credential.id) =>
      removeWebauthnCredential(system, person, { credentialId: id })
    await expect(remove(credential.id)).rejects.toMatchObject({ code: 'last-factor' })
    expect(await countBackupCodes(system.db, user.id)).toMatchObject({ left: 10 })

    const second = await registeredKey(system, person)
    const results = await Promise.allSettled([remove(credential.id), remove(second.credential.id)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listWebauthnCredentials(system, person)).toHaveLength(1)
  })

  test('a suspect key can be removed, but is no reason to remove the last that works', async () => {
    const { system, person, credential } = await aSignedInUser()
    const second = await registeredKey(system, person)
    const end = { at: system.clock.now(), by: null }
    await system.db.transaction((trx) =>
      replaceWebauthnCredentialState(trx, credential.id, ['active'], 'suspect', end),
    )
    const remove = (credentialId: typeof credential.id) =>
      removeWebauthnCredential(system, person, { credentialId })
    await expect(remove(second.credential.id)).rejects.toMatchObject({ code: 'last-factor' })
    await remove(credential.id)
    expect(await last()).toMatchObject({ details: { backupCodesEnded: 0 } })
    await remove(second.credential.id)
    expect(await last()).toMatchObject({ details: { backupCodesEnded: 10 } })
  })

  test('security key: changed by its owner only, with a fresh proof of identity', async () => {
    const { system, person, credential } = await aSignedInUser()
    const office = await storedOffice(system.db, { number: 13 })
    const other = await signedIn(system, await storedUser(system.db, office))
    const input = { credentialId: credential.id, name: 'Mía' }
    await expect(renameWebauthnCredential(system, other, input)).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(removeWebauthnCredential(system, other, input)).rejects.toMatchObject({
      code: 'not-found',
    })
    system.wait(minutes(10))
    await expect(renameWebauthnCredential(system, person, input)).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    await expect(removeWebauthnCredential(system, person, input)).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    expect(await listWebauthnCredentials(system, person)).toHaveLength(1)
  })
})
