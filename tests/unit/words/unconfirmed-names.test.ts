import { expect, test } from 'vitest'
import { PACKAGE_NAMES, providerText } from '#server/words/evidence-package.ts'
import { signerText, signerTitle } from '#server/words/unconfirmed-names.ts'
import { aConstancia } from '#tests/support/pdf/verification-reports.ts'

const confirmed = { name: 'JUAN PÉREZ', vouched: true }
const unconfirmed = { name: 'JUAN PÉREZ', vouched: false }

test('signer: only a confirmed name is a title', () => {
  expect(signerTitle(confirmed)).toBe('JUAN PÉREZ')
  expect(signerTitle(unconfirmed)).toBe('Firmante sin confirmar')
  expect(signerTitle(null)).toBe('Firmante desconocido')
})

test('signer: a name is quoted within a sentence if it is not confirmed', () => {
  expect(signerText(confirmed)).toBe('JUAN PÉREZ')
  expect(signerText(unconfirmed)).toBe('dice llamarse «JUAN PÉREZ»')
  expect(signerText(null)).toBe('firmante desconocido')
})

test('evidence package: authorities and providers are quoted if they are not confirmed', () => {
  const { authority } = PACKAGE_NAMES
  expect(authority({ name: 'Sellos', isConfirmed: true })).toBe('Sellos')
  expect(authority({ name: 'Sellos', isConfirmed: false })).toBe('dice ser «Sellos»')
  expect(authority(null)).toBe('autoridad desconocida')
  expect(providerText(aConstancia())).toBe('Prestador de prueba')
  expect(providerText(aConstancia({ vouched: false }))).toBe('dice ser «Prestador de prueba»')
  expect(providerText(aConstancia({ authority: null }))).toBe('prestador desconocido')
})
