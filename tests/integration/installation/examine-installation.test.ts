import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertTotpFactor } from '#server/db/factors/totp-factors.ts'
import { placeOfTotpSecret } from '#server/domain/identity/totp-factor.ts'
import { TotpFactorId } from '#server/domain/ids.ts'
import { seconds } from '#server/domain/time.ts'
import {
  examineInstallation,
  type Folders,
} from '#server/features/installation/examine-installation.ts'
import { MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const GOOD: Folders = {
  secretsInData: undefined,
  otherKeys: undefined,
  free: 50 * 1024 ** 3,
  total: 100 * 1024 ** 3,
  sealingKeys: new Set([1]),
}

/** An office with an authenticator app, whose secret is sealed. */
async function anInstallation(system: TestSystem): Promise<void> {
  const user = await storedUser(system.db, await storedOffice(system.db))
  const id = TotpFactorId.parse(randomUUID())
  await system.db.transaction((trx) =>
    insertTotpFactor(trx, {
      id,
      userId: user.id,
      sealed: system.vault.seal(new Uint8Array(20), placeOfTotpSecret({ id, userId: user.id })),
      memory: { lastStep: 0, drift: seconds(0) },
      createdAt: MORNING,
      state: 'active',
      stateSince: MORNING,
      stateBy: user.id,
    }),
  )
}

onEachSystem('examination of an installation', (current) => {
  const codesWith = async (changes: Partial<Folders>) => {
    const system = current()
    await anInstallation(system)
    const findings = await Array.fromAsync(
      examineInstallation(system, { logFault: undefined, folders: { ...GOOD, ...changes } }, false),
    )
    return findings.map(({ code }) => code)
  }

  test('a part that an office should have is a warning when it is missing', async () => {
    expect(await codesWith({})).toEqual([
      'log-holds',
      'files-held',
      'keys-held',
      'disk-free',
      'mail-missing',
      'timestamps-missing',
    ])
  })

  test.each<[string, Partial<Folders>]>([
    ['sealing-keys-missing', { sealingKeys: new Set([2]) }],
    ['secrets-beside-data', { secretsInData: '/data/secrets' }],
    ['disk-low', { free: 1024 ** 3 }],
    ['disk-low', { free: 4 * 1024 ** 3 }],
  ])('%s (%j)', async (code, changes) => {
    expect(await codesWith(changes)).toContain(code)
  })
})
