import { expect, test } from 'vitest'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import {
  findAuthority,
  listTrusted,
  replaceAuthority,
  versionOfTrust,
} from '#server/db/trust/authorities.ts'
import { createAuthority } from '#server/demo/certification-authority.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, minutes } from '#server/domain/time.ts'
import {
  type AuthorityState,
  INSTALLATION,
  MOST_AUTHORITIES,
  OcspAddresses,
} from '#server/domain/trust/known-authority.ts'
import {
  type AuthorityDecision,
  decideAuthority,
} from '#server/features/offices/decide-authority.ts'
import { importAuthorities } from '#server/features/offices/import-authorities.ts'
import { listAuthorities } from '#server/features/offices/list-authorities.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { longestTaskOf } from '#tests/support/cpu-time.ts'
import { timesSlower } from '#tests/support/floor.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const REASON = 'Es la autoridad del Estado, revisada en persona'
const ROOT = aPrivateAuthority('Autoridad del Estado')

async function anAdministrator(system: TestSystem, ...roles: Role[]) {
  const user = await storedUser(
    system.db,
    await storedOffice(system.db),
    roles.length ? roles : ['ADMIN'],
  )
  return asPerson(user)
}

const bundle = (...certificates: Uint8Array[]) => ({
  fileName: 'autoridades.pem',
  content: [
    Buffer.from(
      certificates
        .map(
          (der) =>
            `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`,
        )
        .join(''),
    ),
  ],
})

const storeOn = ({ db }: TestSystem, isDemo = false) =>
  openTrustStore({
    folders: [],
    decisions: {
      version: (scope) => versionOfTrust(db, scope),
      list: (scope) => listTrusted(db, scope),
    },
    isDemo,
  })

const inDemo = (system: TestSystem): TestSystem => ({
  ...system,
  settings: { ...system.settings, isDemo: true },
})

onEachSystem('authorities of the installation', (current) => {
  test('import: an unpinned authority is listed, and trusted only once accepted', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const trust = storeOn(system)
    const before = await trust.fingerprint(INSTALLATION)
    const { certificate } = await ROOT
    const fingerprint = sha256(certificate.der)
    const imported = await importAuthorities(system, person, bundle(certificate.der))
    expect(imported).toEqual({
      certificates: [{ sha256: fingerprint, name: 'Autoridad del Estado', outcome: 'offered' }],
      ...{ unreadable: [], isCut: false },
    })
    expect(await trust.fingerprint(INSTALLATION)).toBe(before)
    expect((await trust.policy(system.clock.now(), INSTALLATION)).anchors).toEqual([])

    const decision: AuthorityDecision = {
      kind: 'accept',
      sha256: fingerprint,
      reason: REASON,
      revocation: 'when-available',
      ocsp: ['http://ocsp.estado.example/'],
    }
    await decideAuthority(system, person, decision)
    expect(await trust.fingerprint(INSTALLATION)).not.toBe(before)
    expect((await trust.policy(system.clock.now(), INSTALLATION)).anchors).toMatchObject([
      { forTesting: false, revocation: 'when-available', ocsp: ['http://ocsp.estado.example/'] },
    ])
    expect(await listAuthorities(system, person)).toMatchObject([
      { state: 'accepted', reason: REASON, by: `${person.firstName} ${person.lastName}` },
    ])

    await decideAuthority(system, person, { kind: 'remove', sha256: fingerprint, reason: REASON })
    expect(await trust.fingerprint(INSTALLATION)).toBe(before)
    expect((await system.log()).map(({ action, details }) => [action, details.reason])).toEqual([
      ['authority.offered', undefined],
      ['authority.accepted', REASON],
      ['authority.removed', REASON],
    ])
  })

  test('trust: another address of an accepted authority changes the fingerprint', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const { certificate } = await ROOT
    await importAuthorities(system, person, bundle(certificate.der))
    const decision = {
      kind: 'accept' as const,
      sha256: sha256(certificate.der),
      reason: REASON,
      revocation: 'required' as const,
    }
    const trust = storeOn(system)
    await decideAuthority(system, person, { ...decision, ocsp: [] })
    const before = await trust.fingerprint(INSTALLATION)
    await decideAuthority(system, person, { ...decision, ocsp: ['https://otra.example/'] })
    expect(await trust.fingerprint(INSTALLATION)).not.toBe(before)
  })

  /** So many authorities that differ in their signatures, the first one the oldest. */
  async function known(system: TestSystem, state: AuthorityState): Promise<Sha256[]> {
    const { der } = (await ROOT).certificate
    const all = Array.from({ length: MOST_AUTHORITIES }, (_, index) => {
      const bytes = Uint8Array.from(der)
      new DataView(bytes.buffer).setUint16(bytes.length - 2, index)
      return bytes
    })
    await system.db.transaction(async (trx) => {
      for (const [index, bytes] of all.entries())
        await replaceAuthority(trx, INSTALLATION, {
          sha256: sha256(bytes),
          certificate: { der: bytes },
          state,
          revocation: 'required',
          ocsp: [],
          reason: null,
          since: after(MORNING, minutes(index)),
          by: null,
        })
    })
    return all.map((bytes) => sha256(bytes))
  }

  test('import: new authorities replace the oldest about which nothing was decided', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const before = await known(system, 'offered')
    const [one, other] = [await aPrivateAuthority('Una'), await aPrivateAuthority('Otra')]
    const both = [one, other].map(({ certificate }) => certificate.der)
    const { certificates } = await importAuthorities(system, person, bundle(...both))
    expect(certificates.map(({ outcome }) => outcome)).toEqual(['offered', 'offered'])
    const left = (await listAuthorities(system, person)).map((authority) => authority.sha256)
    expect(new Set(left)).toEqual(
      new Set([...before.slice(2), ...certificates.map((authority) => authority.sha256)]),
    )
  })

  test('import: refused as a whole when 1,000 decisions leave no room', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const before = await known(system, 'accepted')
    const { certificate } = await aPrivateAuthority('Una más')
    const importing = importAuthorities(system, person, bundle(certificate.der))
    await expect(importing).rejects.toMatchObject({ code: 'too-many-authorities' })
    expect(await listAuthorities(system, person)).toHaveLength(before.length)
    expect((await system.log()).map(({ action }) => action)).not.toContain('authority.offered')
    const again = await findAuthority(system.db, INSTALLATION, before[0]!)
    const { certificates } = await importAuthorities(system, person, bundle(again!.certificate.der))
    expect(certificates.map(({ outcome }) => outcome)).toEqual(['known'])
  })

  test('list: 1,000 authorities keep no request waiting, and are read once', async () => {
    const system = current()
    const person = await anAdministrator(system)
    await known(system, 'offered')
    const list = () => listAuthorities(system, person)
    expect(await longestTaskOf(list)).toBeLessThan(200 * (await timesSlower()))
    const first = await list()
    expect(first).toHaveLength(MOST_AUTHORITIES)
    expect(first[0]).toMatchObject({ name: 'Autoridad del Estado', role: 'anchor' })
    await system.db.transaction((trx) =>
      trx
        .updateTable('authorities')
        .set({ der: new Uint8Array(1) })
        .execute(),
    )
    expect(await list()).toEqual(first)
  })

  test('import: a file that takes too much to read is unreadable', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const readAuthorities = () => Promise.reject(new Problem('pdf-too-complex', 'ten seconds'))
    const slow = { ...system, pdf: { ...system.pdf, readAuthorities } }
    const { certificate } = await ROOT
    expect(await importAuthorities(slow, person, bundle(certificate.der))).toEqual({
      certificates: [],
      unreadable: ['autoridades.pem'],
      isCut: false,
    })
  })

  test('a malformed address is refused like any other field', () => {
    for (const address of ['nada', 'ftp://a.example/', 'http://a:b@c.example/', ''])
      expect([address, OcspAddresses.safeParse([address]).success]).toEqual([address, false])
  })

  test('an authority for tests is refused outside of a demo, always', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const { root } = await testAuthority()
    const fingerprint = sha256(root.der)
    const { certificates } = await importAuthorities(system, person, bundle(root.der))
    expect(certificates.map(({ outcome }) => outcome)).toEqual(['for-testing'])
    expect(await listAuthorities(system, person)).toEqual([])
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'authority.refused',
      result: 'refused',
    })

    // Brought in and accepted by a demo on the same database, it still counts in the demo alone.
    await importAuthorities(inDemo(system), person, bundle(root.der))
    const decision: AuthorityDecision = {
      kind: 'accept',
      sha256: fingerprint,
      reason: REASON,
      revocation: 'required',
      ocsp: [],
    }
    await expect(decideAuthority(system, person, decision)).rejects.toMatchObject({
      code: 'authority-for-testing',
    })
    await decideAuthority(inDemo(system), person, decision)
    const now = system.clock.now()
    expect((await storeOn(system).policy(now, INSTALLATION)).anchors).toEqual([])
    expect((await storeOn(system, true).policy(now, INSTALLATION)).anchors).toMatchObject([
      { forTesting: true },
    ])
  })

  test('an e.firma is no authority', async () => {
    const system = current()
    const { cer } = await testEfirma()
    const outcome = await importAuthorities(
      inDemo(system),
      await anAdministrator(system),
      bundle(cer),
    )
    expect(outcome.certificates.map(({ outcome }) => outcome)).toEqual(['no-authority'])
  })

  test('import: an authority that is already known is unchanged', async () => {
    const system = current()
    const person = await anAdministrator(system)
    const { certificate } = await ROOT
    await importAuthorities(system, person, bundle(certificate.der))
    const again = await importAuthorities(system, person, bundle(certificate.der))
    expect(again.certificates.map(({ outcome }) => outcome)).toEqual(['known'])
    expect(await system.log()).toHaveLength(1)
  })

  test.each(['NOTARY', 'LAWYER', 'CLERK', 'AUDITOR'] as const)(
    'a %s decides nothing',
    async (role) => {
      const system = current()
      const person = await anAdministrator(system, role)
      const { certificate } = await ROOT
      await expect(
        importAuthorities(system, person, bundle(certificate.der)),
      ).rejects.toMatchObject({
        code: 'forbidden',
      })
      const decision = { kind: 'remove', sha256: sha256(certificate.der), reason: REASON } as const
      await expect(decideAuthority(system, person, decision)).rejects.toMatchObject({
        code: 'forbidden',
      })
      expect(await listAuthorities(system, person)).toEqual([])
    },
  )

  test('an old proof of identity must be renewed', async () => {
    const system = current()
    const person = await anAdministrator(system)
    system.wait(minutes(11))
    await expect(importAuthorities(system, person, bundle())).rejects.toMatchObject({
      code: 'step-up-needed',
    })
  })

  test('a bundle that is too large is not taken in', async () => {
    const system = current()
    const content = Array.from({ length: 3 }, () => new Uint8Array(1 << 20))
    await expect(
      importAuthorities(system, await anAdministrator(system), { fileName: 'x', content }),
    ).rejects.toMatchObject({ code: 'too-large' })
  })

  test('authority: an unknown fingerprint is not found', async () => {
    const system = current()
    const stranger = await createAuthority({ now: system.clock.now() })
    const decision = { kind: 'remove', sha256: sha256(stranger.root.der), reason: REASON } as const
    await expect(
      decideAuthority(system, await anAdministrator(system), decision),
    ).rejects.toMatchObject({ code: 'not-found' })
  })
})
