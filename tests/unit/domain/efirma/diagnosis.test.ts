import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePrivateKeyFile,
} from '#server/domain/efirma/diagnosis.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import { after, type Duration } from '#server/domain/time.ts'
import {
  TEST_NOW,
  TEST_PASSWORD,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

const now = TEST_NOW
const refused = (file: Uint8Array, options = {}) => {
  const diagnosis = diagnoseCertificate(file, { now, ...options })
  if (diagnosis.kind !== 'refused') throw new Error('usable')
  return diagnosis
}

test('a good certificate is usable', () => {
  expect(diagnoseCertificate(efirma.cer, { now, requiredRfc: 'MULA800101AB1' })).toMatchObject({
    kind: 'usable',
    certificate: { der: efirma.cer },
  })
})

test('a refusal tells the holder and the dates of the certificate', () => {
  const { notBefore, notAfter } = efirma.certificate
  expect(refused(efirma.cer, { requiredRfc: 'LOPA800101AB1' })).toEqual({
    kind: 'refused',
    code: 'other-person',
    file: 'certificate',
    certificate: { rfc: 'MULA800101AB1', notBefore, notAfter },
  })
})

test.each([
  ['an empty file', async () => new Uint8Array(0), 'empty-file'],
  ['a PDF', async () => Buffer.from('%PDF-2.0'), 'is-a-pdf'],
  ['noise', async () => Buffer.from('hola'), 'not-a-certificate'],
  ['the private key', async () => efirma.key, 'is-a-private-key'],
  [
    'a private key in the clear',
    async () => efirma.keyPair.privateKey.export({ type: 'pkcs8', format: 'der' }),
    'is-a-private-key',
  ],
  ['an authority', async () => (await testAuthority()).issuing.der, 'authority-certificate'],
] as const)('%s in place of the certificate', async (_, file, code) => {
  expect(refused(await file()).code).toBe(code)
})

test('the first and the last second of validity count', () => {
  const { notBefore, notAfter } = efirma.certificate
  expect(diagnoseCertificate(efirma.cer, { now: notBefore }).kind).toBe('usable')
  expect(diagnoseCertificate(efirma.cer, { now: notAfter }).kind).toBe('usable')
  expect(diagnoseCertificate(efirma.cer, { now: after(notAfter, 1 as Duration) }).kind).toBe(
    'refused',
  )
})

test('the private key before its password', () => {
  expect(diagnosePrivateKeyFile(efirma.key)).toBeUndefined()
  expect(diagnosePrivateKeyFile(efirma.cer)).toEqual({
    code: 'is-a-certificate',
    file: 'private-key',
  })
})

test('two files that do not belong together', async () => {
  const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = await testEfirma({ keyPair })
  const outcome = await openPrivateKey(other.key, TEST_PASSWORD)
  if (outcome.kind !== 'opened') throw new Error(outcome.kind)
  expect(diagnosePair(outcome.opened, other.certificate)).toBeUndefined()
  expect(diagnosePair(outcome.opened, efirma.certificate)).toMatchObject({ code: 'key-mismatch' })
})
