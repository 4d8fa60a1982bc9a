import { expect, test } from 'vitest'
import { instantOf, parseInstant } from '#server/domain/time.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { isStillTrue } from '#server/domain/verification/report-age.ts'

const at = parseInstant('2026-11-20T15:00:00Z')
const later = (seconds: number) => instantOf(at + seconds * 1000)

function reportWith(notBefore: string, notAfter: string): VerificationReport {
  const signature = { signer: { notBefore, notAfter } } as SignatureReport
  return { signatures: [signature] } as VerificationReport
}

const lasting = reportWith('2024-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z')

test.each([
  ['at once', lasting, 0, true],
  ['after five minutes', lasting, 300, true],
  ['after more than five minutes', lasting, 301, false],
  ['from the future', lasting, -1, false],
  [
    'past the end of a certificate',
    reportWith('2024-01-01T00:00:00Z', '2026-11-20T15:00:30Z'),
    31,
    false,
  ],
  [
    'before the end of a certificate',
    reportWith('2024-01-01T00:00:00Z', '2026-11-20T15:00:30Z'),
    29,
    true,
  ],
  [
    'at the end of a certificate',
    reportWith('2024-01-01T00:00:00Z', '2026-11-20T15:00:30Z'),
    30,
    false,
  ],
  [
    'past the beginning of one',
    reportWith('2026-11-20T15:00:30Z', '2030-01-01T00:00:00Z'),
    31,
    false,
  ],
  [
    'past the end of one of two certificates',
    {
      signatures: [
        ...lasting.signatures,
        ...reportWith('2024-01-01T00:00:00Z', '2026-11-20T15:00:30Z').signatures,
      ],
    } as VerificationReport,
    31,
    false,
  ],
  [
    'with a signature that is only counted',
    {
      signatures: [...lasting.signatures, { signer: null, number: 2 }],
    } as unknown as VerificationReport,
    0,
    false,
  ],
  [
    'without a signer',
    { signatures: [{ signer: null }] } as unknown as VerificationReport,
    60,
    true,
  ],
])('%s', (_, report, wait, expected) => {
  expect(isStillTrue(report, at, later(wait))).toBe(expected)
})
