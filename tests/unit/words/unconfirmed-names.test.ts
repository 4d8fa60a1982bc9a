import { expect, test } from 'vitest'
import type { Named } from '#server/domain/verification/evidence-package/section.ts'
import { titleOfSection } from '#server/words/evidence-package.ts'
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
  expect(signerText(unconfirmed)).toBe('dice llamarse “JUAN PÉREZ”')
  expect(signerText(null)).toBe('firmante desconocido')
})

test('evidence package: signers, authorities and providers are quoted if they are not confirmed', () => {
  const said = (of: Named) => titleOfSection({ about: 'Firma 1', of })
  const authority = (isConfirmed: boolean) =>
    said({ kind: 'authority', authority: { name: 'Sellos', isConfirmed } })
  expect(said({ kind: 'signer', signer: confirmed })).toBe('Firma 1: JUAN PÉREZ')
  expect(said({ kind: 'signer', signer: unconfirmed })).toBe('Firma 1: dice llamarse “JUAN PÉREZ”')
  expect(authority(true)).toBe('Firma 1: Sellos')
  expect(authority(false)).toBe('Firma 1: dice ser “Sellos”')
  expect(said({ kind: 'authority', authority: null })).toBe('Firma 1: autoridad desconocida')
  const provider = (changes: object) => said({ kind: 'provider', provider: aConstancia(changes) })
  expect(provider({})).toBe('Firma 1: Prestador de prueba')
  expect(provider({ vouched: false })).toBe('Firma 1: dice ser “Prestador de prueba”')
  expect(provider({ authority: null })).toBe('Firma 1: prestador desconocido')
  expect(said({ kind: 'certificate', name: 'JUAN PÉREZ' })).toBe('Firma 1: JUAN PÉREZ')
})
