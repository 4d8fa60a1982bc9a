import { createHash, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { after, before, days } from '#server/domain/time.ts'
import { certificateFactsOf } from '#server/domain/trust/certificate-facts.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'

async function trustAt(at = TEST_NOW) {
  const { issuing } = await testAuthority()
  return { anchors: [await testAnchor()], candidates: [issuing], at }
}

test('certificate facts: an e.firma says what OpenSSL reads in it', async () => {
  const { cer } = await testEfirma()
  const facts = certificateFactsOf(readCertificate(cer), await trustAt())
  const read = new X509Certificate(cer)
  expect(facts).toMatchObject({
    sha1: read.fingerprint.replaceAll(':', '').toLowerCase(),
    serial: read.serialNumber.toLowerCase(),
    version: 3,
    representative: null,
    signatureAlgorithm: '1.2.840.113549.1.1.11',
    key: { kind: 'rsa', bits: read.publicKey.asymmetricKeyDetails?.modulusLength },
    keyUsage: ['digitalSignature', 'nonRepudiation', 'dataEncipherment', 'keyAgreement'],
    netscapeTypes: ['sslClient', 'smime'],
    purposes: read.keyUsage,
    isAuthority: false,
    policies: undefined,
    ocsp: [],
    lists: [],
  })
  expect(facts.key.exponent).toBe('65537')
  expect(facts.sha1).toBe(createHash('sha1').update(cer).digest('hex'))
  expect(facts.subject).toContainEqual({ oid: '2.5.4.45', value: 'MULA800101AB1' })
  expect(facts.subject).toContainEqual({ oid: '2.5.4.5', value: 'MULA800101MDFXPN09' })
  expect(facts.subject).toContainEqual({ oid: '2.5.4.3', value: 'ANA MARÍA MUÑOZ LÓPEZ' })
  expect(facts.extensions).toHaveLength(4)
  expect(facts.extensions[0]).toEqual({ oid: '2.5.29.19', isCritical: true })
})

test('certificate facts: the chain leads from the issuer to the trust anchor', async () => {
  const { cer } = await testEfirma()
  const { chain } = certificateFactsOf(readCertificate(cer), await trustAt())
  const { issuing, root } = await testAuthority()
  expect(chain).toMatchObject({ kind: 'found', label: 'Autoridad de prueba', forTesting: true })
  expect(chain.kind === 'found' && chain.authorities.map((link) => link.sha256)).toEqual([
    sha256(issuing.der),
    sha256(root.der),
  ])
})

test('certificate facts: without its issuer there is no chain', async () => {
  const { cer } = await testEfirma()
  const { chain } = certificateFactsOf(readCertificate(cer), {
    ...(await trustAt()),
    candidates: [],
  })
  expect(chain).toEqual({ kind: 'none', reason: 'no-issuer', about: 'ANA MARÍA MUÑOZ LÓPEZ' })
})

test('certificate facts: one that ended, or is not valid yet, keeps its chain', async () => {
  const certificate = readCertificate((await testEfirma()).cer)
  for (const at of [after(certificate.notAfter, days(1)), before(certificate.notBefore, days(1))])
    expect(certificateFactsOf(certificate, await trustAt(at)).chain.kind).toBe('found')
})

test('certificate facts: a malformed extension is unreadable, and the rest is read', async () => {
  const certificate = readCertificate((await testEfirma()).cer)
  const extensions = certificate.extensions.map((extension) =>
    extension.oid === '2.5.29.15' ? { ...extension, value: Uint8Array.of(0x30, 0x05) } : extension,
  )
  const facts = certificateFactsOf({ ...certificate, extensions }, await trustAt())
  expect(facts.keyUsage).toBe('unreadable')
  expect(facts.purposes).toHaveLength(2)
})

test('certificate facts: no more than 40 parts of a name are shown, each fit to be shown', async () => {
  const certificate = readCertificate((await testEfirma()).cer)
  const attributes = Array.from({ length: 3000 }, () => ({
    oid: '2.5.4.3',
    value: `${'x'.repeat(5000)}\u202e\n`,
  }))
  const hostile = { ...certificate, subject: { ...certificate.subject, attributes } }
  const { subject } = certificateFactsOf(hostile, await trustAt())
  expect(subject).toHaveLength(40)
  expect(subject[0]?.value).toMatch(/^x{299}…$/)
})

test('certificate facts: a certificate of a legal person names who acts for it', async () => {
  const { cer } = await testEfirma({
    kind: 'efirma-legal',
    name: 'ESCUELA KEMPER URGATE SA DE CV',
    rfc: 'EKU9003173C9',
    representative: { rfc: 'VADA800927DJ3', curp: 'VADA800927HSRSRL05' },
  })
  const facts = certificateFactsOf(readCertificate(cer), await trustAt())
  expect(facts.representative).toEqual({ rfc: 'VADA800927DJ3', curp: 'VADA800927HSRSRL05' })
})
