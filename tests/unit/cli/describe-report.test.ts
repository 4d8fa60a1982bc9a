import { expect, test } from 'vitest'
import { describeReport } from '#server/cli/describe-report.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { aSignatureReport, aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

test('command line: revocation and timestamps are said as on the verdict page', () => {
  const signature = aSignatureReport({
    revocation: {
      status: 'revoked',
      source: 'crl',
      checkedAt: '2026-11-20T15:07:00.000Z',
      revokedAt: '2026-11-01T18:00:00.000Z',
      reason: 'superseded',
    },
    timestamps: [
      {
        kind: 'signature',
        valid: false,
        time: '2026-11-20T15:06:00.000Z',
        authority: 'Autoridad de sellos',
        vouched: false,
        trusted: false,
        reason: warning('timestamp-imprint-differs'),
      },
    ],
  })
  const lines = describeReport(aVerificationReport({ signatures: [signature] })).split('\n')
  expect(lines.map((line) => line.trim())).toEqual(
    expect.arrayContaining([
      'sello digital de tiempo de la firma: 20 nov 2026, 09:06 (hora del centro), dice ser “Autoridad de sellos”, no válido. El sello de tiempo es de otros datos.',
      'revocación: el certificado fue revocado el 01 nov 2026, 12:00 (hora del centro) (se sustituyó por otro), según la lista de revocación de la autoridad del 20 nov 2026, 09:07 (hora del centro)',
    ]),
  )
})
