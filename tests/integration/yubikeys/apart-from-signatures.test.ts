import { expect, test } from 'vitest'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { listTrusted, versionOfTrust } from '#server/db/trust/authorities.ts'
import { mintDevice, mintMaker } from '#server/demo/yubikey-minting.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { before, days } from '#server/domain/time.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { decideAuthority } from '#server/features/offices/decide-authority.ts'
import { importAuthorities } from '#server/features/offices/import-authorities.ts'
import { addMakerCertificates } from '#server/features/yubikeys/add-maker-certificates.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { registeredYubikey } from '#tests/support/keys/yubikeys.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const REASON = 'Del sitio del fabricante, comparada por teléfono.'

/** A demo, in which authorities for demonstrations may count at all. */
async function aDemo(system: TestSystem) {
  const demo = { ...system, settings: { ...system.settings, isDemo: true } }
  const admin = await storedUser(system.db, await storedOffice(system.db), ['ADMIN'])
  const trust = openTrustStore({
    folders: [],
    decisions: {
      version: (scope) => versionOfTrust(system.db, scope),
      list: (scope) => listTrusted(system.db, scope),
    },
    isDemo: true,
  })
  return { demo, administrator: asPerson(admin), trust }
}

onEachSystem('roots of the maker and authorities of signatures', (current) => {
  test('authorities of a signer added as certificates of the maker: the signature is not valid', async () => {
    const { demo, administrator, trust } = await aDemo(current())
    const { root, issuing } = await testAuthority()
    const file = await handSigned({ seal: sealOf(await testEfirma()) })
    for (const { der } of [root, issuing]) {
      const added = { fileName: 'raiz.der', file: der, reason: REASON }
      expect(await addMakerCertificates(demo, administrator, added)).toMatchObject({
        kind: 'added',
      })
    }
    const policy = await trust.policy(MORNING, INSTALLATION)
    expect([policy.anchors, policy.candidates]).toEqual([[], []])
    expect((await verified(file, policy)).verdict).toBe('INDETERMINATE')
  }, 60_000)

  test('root of the maker accepted as an authority of signatures: the attestation is not proven', async () => {
    const { demo, administrator, trust } = await aDemo(current())
    const maker = await mintMaker('Raíz de llaves de prueba', before(MORNING, days(1000)))
    const device = await mintDevice(maker, { serial: 5, firmware: [5, 7, 1], form: 3 })
    const files = [device.attest({}), device.intermediate]
    const { id } = await registeredYubikey(demo, administrator, '5', files)
    await importAuthorities(demo, administrator, { fileName: 'r.der', content: [maker.der] })
    await decideAuthority(demo, administrator, {
      ...{ kind: 'accept', sha256: sha256(maker.der), reason: REASON },
      ...{ revocation: 'when-available', ocsp: [] },
    })
    expect((await trust.policy(MORNING, INSTALLATION)).anchors).toHaveLength(1)
    const { attestations } = await readYubikey(demo, administrator, { yubikeyId: id })
    expect(attestations[0]?.verdict).toEqual({ kind: 'unchecked', reason: 'no-maker-root' })
  }, 60_000)
})
