import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { diagnoseCertificate } from '#server/domain/efirma/diagnosis.ts'
import { parseInstant } from '#server/domain/time.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

const refused = (file: Uint8Array, options = {}) => {
  const diagnosis = diagnoseCertificate(file, { now: TEST_NOW, ...options })
  if (diagnosis.kind !== 'refused') throw new Error('usable')
  return { code: diagnosis.code, sentence: sentenceOfEfirma(diagnosis) }
}

test('every problem: the sentence says what happened and what to do', async () => {
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

test('a wrong password has one sentence', () => {
  expect(sentenceOfEfirma({ code: 'wrong-password', file: 'private-key' })).toBe(
    'La contraseña no corresponde a esta clave privada. Verifíquela e intente de nuevo.',
  )
})
