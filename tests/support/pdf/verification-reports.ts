import { constanciaHeadline } from '#server/domain/verification/codes/constancia-codes.ts'
import { headline } from '#server/domain/verification/codes/headline-codes.ts'
import type {
  ConstanciaReport,
  SignatureReport,
  VerificationReport,
} from '#server/domain/verification/report.ts'

/** The codes of warnings, changes or reasons. */
export const codesOf = (facts: readonly { code: string }[]) => facts.map(({ code }) => code)

/** The report of a valid signature. */
export const aSignatureReport = (changes: Partial<SignatureReport> = {}): SignatureReport => ({
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
  fieldMdp: [],
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
    vouched: true,
  },
  claimedTime: '2026-11-20T15:05:00.000Z',
  provenTime: null,
  timestamps: [],
  revocation: { status: 'unknown', source: null, checkedAt: null, revokedAt: null, reason: null },
  algorithms: { digest: 'sha256', signature: 'RSASSA-PKCS1-v1_5 2048' },
  warnings: [],
  ...changes,
})

export const aVerificationReport = (
  changes: Partial<VerificationReport> = {},
): VerificationReport => ({
  file: 'poder de maría fernanda.pdf',
  sha256: 'cd'.repeat(32),
  bytes: 183_722,
  pages: 12,
  encrypted: false,
  verdict: 'VALID',
  headline: headline('signed-and-intact'),
  signatures: [aSignatureReport()],
  warnings: [],
  ...changes,
})

export const aConstancia = (changes: Partial<ConstanciaReport> = {}): ConstanciaReport => ({
  kind: 'constancia',
  verdict: 'VALID',
  subIndication: null,
  headline: constanciaHeadline('file-existed', { kind: 'constancia' }),
  matches: true,
  valid: true,
  trusted: true,
  forTesting: false,
  time: '2026-11-20T15:05:00.000Z',
  authority: 'Prestador de prueba',
  vouched: true,
  policy: '1.2.3.4.1',
  serialNumber: '7',
  revocation: null,
  warnings: [],
  ...changes,
})
