import { expect, test } from 'vitest'
import { fileFacts, notFoundView, verdictView } from '#app/routes/public/verdict-view.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'

const signature: SignatureReport = {
  field: 'Firma1',
  kind: 'signature',
  subFilter: 'ETSI.CAdES.detached',
  level: 'B-B',
  indication: 'TOTAL_PASSED',
  subIndication: null,
  intact: true,
  valid: true,
  trusted: true,
  forTesting: false,
  coverage: 'ENTIRE_FILE',
  modification: 'NONE',
  docMdp: null,
  changes: [],
  signer: {
    name: 'MARÍA FERNANDA NÚÑEZ',
    rfc: 'NUÑF800101AB1',
    curp: 'NUXF800101MDFXXR09',
    certificateNumber: '30001000000500003416',
    issuer: 'AC DEL SERVICIO DE ADMINISTRACION TRIBUTARIA',
    notBefore: '2024-01-01T00:00:00.000Z',
    notAfter: '2028-01-01T00:00:00.000Z',
    sha256: 'ab'.repeat(32),
    kind: 'efirma-natural',
  },
  claimedTime: '2026-11-20T15:05:00.000Z',
  provenTime: null,
  timestamps: [],
  revocation: { status: 'unknown', source: null, checkedAt: null, revokedAt: null, reason: null },
  algorithms: { digest: 'sha256', signature: 'RSASSA-PKCS1-v1_5 2048' },
  warnings: [],
}

const report: VerificationReport = {
  file: 'poder de maría fernanda.pdf',
  sha256: 'cd'.repeat(32),
  bytes: 183_722,
  pages: 12,
  encrypted: false,
  verdict: 'VALID',
  sentence: 'Documento íntegro y firmado.',
  signatures: [signature],
  warnings: [],
}

const zone = 'America/Mexico_City'
const masked = { zone, isDemo: false, names: 'masked' } as const

test('whoever holds only the code learns no name, no RFC and no CURP', () => {
  const shown = JSON.stringify([verdictView(report, masked), fileFacts(report)])
  expect(shown).toContain('M**** F******* N****')
  expect(shown).toContain('NUÑ*******AB1')
  expect(shown).not.toMatch(/FERNANDA|NÚÑEZ|NUÑF800101|NUXF800101|maría/iu)
})

test('fields that are called like their signers are not named either', () => {
  const sentence = 'Se firmó en el campo de firma «María Fernanda».'
  const change = { revision: 2, level: 'FORM_FILLING', object: '9 0', sentence } as const
  const named = { ...signature, field: 'María Fernanda', changes: [change], warnings: [sentence] }
  const shown = JSON.stringify(
    verdictView({ ...report, signatures: [named] }, masked).signatures[0]?.details,
  )
  expect(shown).not.toMatch(/maría/iu)
  const [view] = verdictView({ ...report, signatures: [named] }, masked).signatures
  expect([view?.changes, view?.warnings].flat().join()).not.toMatch(/maría/iu)
})

test('whoever sent the file reads who signed it, but no CURP', () => {
  const shown = JSON.stringify(verdictView(report, { ...masked, names: 'whole' }))
  expect(shown).toContain('MARÍA FERNANDA NÚÑEZ')
  expect(shown).toContain('NUÑF800101AB1')
  expect(shown).not.toContain('NUXF800101')
})

test('the sentence stays exact, and "de prueba" stands beside it', () => {
  const real = verdictView(report, masked)
  expect(real).toMatchObject({
    sentence: 'Documento íntegro y firmado.',
    isTest: false,
    tone: 'good',
  })
  const demo = { ...report, signatures: [{ ...signature, forTesting: true }] }
  expect(verdictView(demo, masked)).toMatchObject({ sentence: real.sentence, isTest: true })
  expect(verdictView(report, { ...masked, isDemo: true }).isTest).toBe(true)
})

test('what is not found says so and nothing more', () => {
  const view = notFoundView(false)
  expect(view.sentence).toBe('No encontrado.')
  expect([view.signatures, view.warnings]).toEqual([[], []])
})

test('signatures stand in the order of their times', () => {
  const earlier = { ...signature, field: 'Firma0', claimedTime: '2026-11-19T15:05:00-06:00' }
  const view = verdictView({ ...report, signatures: [signature, earlier] }, masked)
  expect(view.signatures.map(({ field }) => field)).toEqual(['Firma0', 'Firma1'])
  expect(view.signatures[1]?.when).toBe('20 nov 2026, 09:05 (hora del centro), según quien firmó')
})

test.each([
  ['not intact', { intact: false }, 'Lo que se firmó fue alterado'],
  ['not valid', { valid: false }, 'La firma no corresponde al certificado'],
  ['not trusted', { trusted: false }, 'No se reconoce a la autoridad que emitió el certificado'],
  ['changed', { modification: 'OTHER' }, 'Cambios después de firmar: se cambió el documento'],
] as const)('a signature that is %s says so', (_, changes, text) => {
  const [view] = verdictView(
    { ...report, signatures: [{ ...signature, ...changes }] },
    masked,
  ).signatures
  expect(view?.checks.filter(({ isGood }) => !isGood)).toEqual([{ isGood: false, text }])
})
