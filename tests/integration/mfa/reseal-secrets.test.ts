import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertTotpFactor } from '#server/db/factors/totp-factors.ts'
import { listKeyVersions, SEALED_TABLES } from '#server/db/sealed-rows.ts'
import { insertKeptRequest, placeOfBody } from '#server/db/sign-ins/kept-requests.ts'
import { placeOfTotpSecret } from '#server/domain/identity/totp-factor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { KeptRequestId, TotpFactorId } from '#server/domain/ids.ts'
import { after, minutes, seconds } from '#server/domain/time.ts'
import { resealSecrets } from '#server/features/mfa/reseal-secrets.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import { storedUser, stranger } from '#tests/support/builders.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import { aSignedInUser, type SignedInUser } from '#tests/support/keys/second-factors.ts'
import { openSignIn } from '#tests/support/keys/security-keys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const PEOPLE = 60

/** More users with apps than one small transaction handles, and kept forms. */
async function filled(system: TestSystem) {
  const owner = await aSignedInUser(system)
  const secret = new Uint8Array(randomBytes(20))
  const users = [owner.user]
  for (let number = 1; number < PEOPLE; number += 1)
    users.push(await storedUser(system.db, owner.office))
  await system.db.transaction(async (trx) => {
    for (const user of users) await insertTotpFactor(trx, factorOf(system, user, secret))
  })
  await keep(system, owner, 3)
  return { users, secret }
}

function factorOf(system: TestSystem, user: User, secret: Uint8Array) {
  const at = system.clock.now()
  const id = TotpFactorId.parse(randomUUID())
  return {
    id,
    userId: user.id,
    sealed: system.vault.seal(secret, placeOfTotpSecret({ id, userId: user.id })),
    memory: { lastStep: 0, drift: seconds(0) },
    createdAt: at,
    state: 'active' as const,
    stateSince: at,
    stateBy: user.id,
  }
}

async function keep(system: TestSystem, { person }: SignedInUser, count: number) {
  const at = system.clock.now()
  await system.db.transaction(async (trx) => {
    for (let number = 0; number < count; number += 1) {
      const id = KeptRequestId.parse(randomUUID())
      await insertKeptRequest(trx, {
        id,
        purpose: 'step-up',
        sessionId: person.sessionId,
        userId: null,
        path: '/dashboard',
        contentType: 'application/x-www-form-urlencoded',
        sealed: system.vault.seal(new TextEncoder().encode('a=b'), placeOfBody(id)),
        createdAt: at,
        expiresAt: after(at, minutes(5)),
        usedAt: null,
      })
    }
  })
}

async function comesIn(system: TestSystem, user: User, secret: Uint8Array) {
  const token = await openSignIn(system, user)
  const code = codeAt(secret, system.clock.now())
  return (await verifySecondFactor(system, stranger(), token, { method: 'TOTP', code })).kind
}

onEachSystem('sealing with a new key', (current) => {
  test('takes every row of every table, and the old key is needed no more', async () => {
    const system = current()
    const { users, secret } = await filled(system)
    system.sealingKeys.add()
    expect(await resealSecrets(system)).toEqual({ resealed: PEOPLE + 3, unreadable: [] })
    expect(await listKeyVersions(system.db)).toEqual(new Set([2]))
    expect(await resealSecrets(system)).toEqual({ resealed: 0, unreadable: [] })
    system.sealingKeys.lose(1)
    for (const user of [users[0], users.at(-1)])
      if (user) expect(await comesIn(system, user, secret)).toBe('signed-in')
    for (const row of await SEALED_TABLES.kept_requests.list(system.db, 3, '', 10))
      expect(system.vault.open(row.sealed, row.place)).toEqual(new TextEncoder().encode('a=b'))
  })

  test('rotate-keys: may be interrupted and run again while users sign in', async () => {
    const system = current()
    const { users, secret } = await filled(system)
    system.sealingKeys.add()
    let seals = 0
    const broken = {
      ...system.vault,
      keyVersion: 2,
      seal(plain: Uint8Array, place: string) {
        seals += 1
        if (seals > 55) throw new Error('the power is cut')
        return system.vault.seal(plain, place)
      },
    }
    await expect(resealSecrets({ db: system.db, vault: broken })).rejects.toThrow('power')
    expect(await listKeyVersions(system.db)).toEqual(new Set([1, 2]))
    const [again, ...came] = await Promise.all([
      resealSecrets(system),
      ...users.slice(0, 10).map((user) => comesIn(system, user, secret)),
    ])
    expect(again.resealed).toBe(PEOPLE + 3 - 50)
    expect(new Set(came)).toEqual(new Set(['signed-in']))
    expect(await listKeyVersions(system.db)).toEqual(new Set([2]))
  })

  test('rotate-keys: an unreadable secret stays and its key is kept', async () => {
    const system = current()
    const { users } = await filled(system)
    await system.db.transaction((trx) =>
      trx
        .updateTable('totp_factors')
        .set({ sealed_secret: new Uint8Array(48) })
        .where('user_id', '=', users[7]?.id ?? '')
        .execute(),
    )
    system.sealingKeys.add()
    const { resealed, unreadable } = await resealSecrets(system)
    expect(resealed).toBe(PEOPLE + 2)
    expect(unreadable).toEqual([expect.stringContaining(`:${users[7]?.id}`)])
    expect(await listKeyVersions(system.db)).toEqual(new Set([1, 2]))
  })
})
