import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import {
  diagnoseCertificate,
  diagnosePair,
  diagnosePrivateKeyFile,
} from '#server/domain/efirma/diagnosis.ts'
import { sentenceFor } from '#server/domain/efirma/sentences.ts'
import { openPrivateKey } from '#server/domain/pkcs/private-key.ts'
import { after, type Duration, parseInstant } from '#server/domain/time.ts'
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
  return { code: diagnosis.code, sentence: sentenceFor(diagnosis) }
}

test('a good certificate is usable', () => {
  expect(diagnoseCertificate(efirma.cer, { now, requiredRfc: 'MULA800101AB1' })).toMatchObject({
    kind: 'usable',
    certificate: { der: efirma.cer },
  })
})

test('the sentence says what happened and what to do', async () => {
  expect(refused((await testEfirma({ kind: 'csd', branch: 'Matriz' })).cer)).toEqual({
    code: 'csd',
    sentence:
      'Es un certificado de sello digital (CSD): sirve para facturar, no para firmar documentos. Elija el certificado de su e.firma.',
  })
  expect(refused(efirma.cer, { now: parseInstant('2030-01-01') })).toEqual({
    code: 'expired',
    sentence:
      'El certificado venció el 31 de mayo de 2028 y ya no puede usarse para firmar. Renueve su e.firma ante el SAT o elija un certificado vigente.',
  })
  expect(refused(efirma.cer, { now: parseInstant('2024-01-01') })).toEqual({
    code: 'not-yet-valid',
    sentence:
      'El certificado aún no está vigente: lo estará a partir del 31 de mayo de 2024. Revise la fecha de su equipo o elija otro certificado.',
  })
  expect(refused(efirma.cer, { requiredRfc: 'LOPA800101AB1' })).toEqual({
    code: 'other-person',
    sentence:
      'El certificado pertenece a otra persona (RFC MULA800101AB1). Elija el certificado de la e.firma de quien debe firmar.',
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

test('a wrong password has one sentence', () => {
  expect(sentenceFor({ code: 'wrong-password', file: 'private-key' })).toBe(
    'La contraseña no corresponde a esta clave privada. Verifíquela e intente de nuevo.',
  )
})
