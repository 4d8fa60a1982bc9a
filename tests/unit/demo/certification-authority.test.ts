import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDer } from '#server/domain/asn1/der.ts'
import { sequenceOf } from '#server/domain/asn1/der-values.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import { keyUsageOf } from '#server/domain/x509/extensions.ts'
import {
  TEST_PASSWORD,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'

const openssl = judge('openssl')
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-authority-'))
afterAll(() => rmSync(folder, { recursive: true }))
// The keys of the authority and of the signer take a few seconds on a small machine.
beforeAll(async () => void (await testEfirma()), 60_000)

function fileOf(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const PERSON = { rfc: 'MUÑA800101AB1', name: 'ÁNGEL MUÑOZ' }
const COMPANY = {
  kind: 'efirma-legal',
  name: 'HERRERÍA & LUCES SA DE CV',
  rfc: 'H&E951128469',
  representative: { rfc: 'XOJI740919U48', curp: 'XOJI740919MQTDMN02' },
} as const

test('minted e.firma of a person: is read with its own data', async () => {
  const { certificate } = await testEfirma({ ...PERSON, serial: '30001000000500000042' })
  expect({ ...certificate, ...satProfileOf(certificate) }).toMatchObject({
    kind: 'efirma-natural',
    rfc: 'MUÑA800101AB1',
    curp: 'MULA800101MDFXPN09',
    name: 'ÁNGEL MUÑOZ',
    certificateNumber: '30001000000500000042',
    serial: '3330303031303030303030353030303030303432',
    representative: null,
  })
  expect(certificate.extensions.map(({ oid }) => oid)).toEqual([
    '2.5.29.19',
    '2.5.29.15',
    '2.16.840.1.113730.1.1',
    '2.5.29.37',
  ])
  expect([...(keyUsageOf(certificate) ?? [])]).toEqual([
    'digitalSignature',
    'nonRepudiation',
    'dataEncipherment',
    'keyAgreement',
  ])
})

test('names that are not plain ASCII are Latin-1 in a T61String', async () => {
  const { cer } = await testEfirma(PERSON)
  const shown = openssl('asn1parse', '-inform', 'DER', '-in', fileOf('t61.cer', cer)).output
  expect(shown.match(/T61STRING/g)).toHaveLength(4)
  expect(Buffer.from(cer).includes(Buffer.from('MUÑA800101AB1', 'latin1'))).toBe(true)
})

test('an e.firma of a company names who acts for it', async () => {
  const { certificate } = await testEfirma(COMPANY)
  expect(satProfileOf(certificate)).toMatchObject({
    kind: 'efirma-legal',
    rfc: 'H&E951128469',
    curp: null,
    representative: COMPANY.representative,
  })
  const values = certificate.subject.attributes.map(({ value }) => value)
  expect(values).toContain('H&E951128469 / XOJI740919U48')
  expect(values).toContain(' / XOJI740919MQTDMN02')
})

test('a CSD names a branch and has two extensions', async () => {
  const { certificate } = await testEfirma({ kind: 'csd', branch: 'Matriz' })
  expect(satProfileOf(certificate).kind).toBe('csd')
  expect(certificate.extensions).toHaveLength(2)
})

test.each([
  ['a serial of 19 digits', { serial: '3000100000050000004' }],
  ['a CSD without a branch', { kind: 'csd' }],
  ['a company without a representative', { kind: 'efirma-legal' }],
] as const)('%s is not minted', async (_, request) => {
  await expect(testEfirma(request)).rejects.toThrow(RangeError)
})

test('openssl follows the path from the e.firma to the root', async () => {
  const { root, issuing } = await testAuthority()
  const { cer } = await testEfirma()
  const pem = (der: Uint8Array) => Buffer.from(new X509Certificate(der).toString())
  const verdict = openssl(
    ...['verify', '-x509_strict', '-attime', '1795100000'],
    ...['-CAfile', fileOf('root.pem', pem(root.der))],
    ...['-untrusted', fileOf('issuing.pem', pem(issuing.der))],
    fileOf('leaf.pem', pem(cer)),
  )
  // The strict profile requires key identifiers, which e.firmas lack.
  expect(verdict.errors + verdict.output).not.toMatch(/signature failure|unable to get/)
  const lenient = openssl(
    ...['verify', '-attime', '1795100000', '-CAfile', path.join(folder, 'root.pem')],
    ...['-untrusted', path.join(folder, 'issuing.pem'), path.join(folder, 'leaf.pem')],
  )
  expect(lenient).toMatchObject({ status: 0 })
})

test('openssl and Node open the private key', async () => {
  const { key, keyPair } = await testEfirma({ password: TEST_PASSWORD })
  const file = fileOf('efirma.key', key)
  const opened = openssl(
    ...['pkcs8', '-inform', 'DER', '-in', file, '-passin', `pass:${TEST_PASSWORD}`],
  )
  expect(opened.status).toBe(0)
  const own = createPrivateKey({
    key: Buffer.from(key),
    format: 'der',
    type: 'pkcs8',
    passphrase: TEST_PASSWORD,
  })
  expect(createPublicKey(own).equals(keyPair.publicKey)).toBe(true)
  expect(sequenceOf(readDer(key))).toHaveLength(2)
})

test('an authority is never an e.firma', async () => {
  const { root, issuing } = await testAuthority()
  expect(satProfileOf(readCertificate(root.der)).kind).toBe('unknown')
  expect(issuing.name).toBe('AC de Demostración de Rúbrica')
})
