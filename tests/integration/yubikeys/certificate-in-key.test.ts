import { createPublicKey, randomUUID, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { insertCertificate } from '#server/db/trust/certificates.ts'
import { mintDevice, mintMaker } from '#server/demo/yubikey-minting.ts'
import type { User } from '#server/domain/identity/user.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { heldCertificateOf } from '#server/domain/signing/held-certificate-of.ts'
import { before, days } from '#server/domain/time.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { addMakerCertificates } from '#server/features/yubikeys/add-maker-certificates.ts'
import { attachAttestation } from '#server/features/yubikeys/attach-attestation.ts'
import { linkCertificate } from '#server/features/yubikeys/link-certificate.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, MORNING, storedUser } from '#tests/support/builders.ts'
import { aSignedInUser } from '#tests/support/keys/second-factors.ts'
import { registeredKey } from '#tests/support/keys/security-keys.ts'
import { assignedYubikey, currentYubikey, seen } from '#tests/support/keys/yubikeys.ts'
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

onEachSystem('certificate in a key', (current) => {
  test('linked: what is known of its private key follows from the attestations', async () => {
    const system = current()
    const { person, user, administrator } = await aHolder(system)
    const { cer } = await testEfirma()
    const certificate = await storedCertificate(system, user, cer)
    const publicKey = createPublicKey(certificatePem(cer))
    const maker = await mintMaker('Raíz de llaves de prueba', before(MORNING, days(1000)))
    const device = await mintDevice(maker, { serial: 271_828, firmware: [5, 7, 1], form: 3 })
    const files = [device.attest({ publicKey }), device.intermediate]
    const key = await assignedYubikey(system, administrator, user.id, [], '271828')
    await linkCertificate(system, person, {
      ...{ ...seen(key), certificateId: certificate, change: 'link' },
    })
    const origin = async () =>
      (await readYubikey(system, person, { yubikeyId: key.id })).certificate?.origin
    expect(await origin()).toEqual({ kind: 'not-attested' })
    const linked = await currentYubikey(system, key.id)
    await attachAttestation(system, administrator, { ...seen(linked), attestation: files })
    expect(await origin()).toEqual({ kind: 'unproven', slot: '9c' })
    const demo = { ...system, settings: { ...system.settings, isDemo: true } }
    const reason = 'Del sitio del fabricante.'
    await addMakerCertificates(demo, administrator, { fileName: 'r.der', file: maker.der, reason })
    expect(await origin()).toEqual({ kind: 'made-inside', slot: '9c' })
    const attested = await currentYubikey(system, key.id)
    await linkCertificate(system, person, {
      ...{ ...seen(attested), certificateId: certificate, change: 'unlink' },
    })
    expect(await origin()).toBeUndefined()
    expect((await system.log()).at(-1)).toMatchObject({ action: 'yubikey.certificate-unlinked' })
  }, 30_000)

  test('certificate of another person: as if there were none', async () => {
    const system = current()
    const { administrator, office, yubikey } = await aHolder(system)
    const other = await storedUser(system.db, office, ['LAWYER'])
    const certificateId = await storedCertificate(system, other, (await testEfirma()).cer)
    await expect(
      linkCertificate(system, administrator, { ...seen(yubikey), certificateId, change: 'link' }),
    ).rejects.toMatchObject({ code: 'not-found' })
  })
})

async function storedCertificate({ db }: TestSystem, user: User, cer: Uint8Array) {
  const held = heldCertificateOf(readCertificate(cer), {
    ...{ id: CertificateId.parse(randomUUID()), officeId: user.officeId, userId: user.id },
    ...{ at: MORNING, isForTesting: true },
  })
  return (await db.transaction((trx) => insertCertificate(trx, held))).id
}

const certificatePem = (der: Uint8Array) => new X509Certificate(der).publicKey.export(PEM)
const PEM = { type: 'spki', format: 'pem' } as const
