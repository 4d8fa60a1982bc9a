import { expect, test } from 'vitest'
import type { Headline } from '#server/domain/verification/codes/headline-codes.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { headlineOf } from '#server/domain/verification/headline.ts'
import type { SignatureReport } from '#server/domain/verification/report.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

const invalid = (changes: Partial<SignatureReport>) =>
  headlineOf('INVALID', [
    aSignatureReport(),
    aSignatureReport({ indication: 'TOTAL_FAILED', ...changes }),
  ]).code
const undecided = (changes: Partial<SignatureReport>) =>
  headlineOf('INDETERMINATE', [
    aSignatureReport(),
    aSignatureReport({ indication: 'INDETERMINATE', ...changes }),
  ]).code

test.each<[Headline['code'], Partial<SignatureReport>]>([
  ['signed-bytes-differ', { subIndication: 'HASH_FAILURE', intact: false }],
  ['revoked-before-signing', { subIndication: 'REVOKED' }],
  ['modified-after-signing', { modification: 'OTHER' }],
  ['modified-after-signing', { modification: 'ANNOTATIONS' }],
  [
    'signature-false-or-damaged',
    { subIndication: 'SIG_CRYPTO_FAILURE', warnings: [warning('signature-differs')] },
  ],
  [
    'signature-invalid',
    { subIndication: 'SIG_CRYPTO_FAILURE', warnings: [warning('algorithms-incompatible')] },
  ],
  ['signature-invalid', { subIndication: 'FORMAT_FAILURE' }],
  ['file-truncated', { warnings: [warning('byte-range-beyond-file')] }],
])('verdict about an invalid file: %s', (code, changes) => {
  expect(invalid(changes)).toBe(code)
})

test('verdict about an invalid file: says only what holds of a signature that failed', () => {
  const failed = aSignatureReport({ indication: 'TOTAL_FAILED', subIndication: 'FORMAT_FAILURE' })
  const undecided = aSignatureReport({ indication: 'INDETERMINATE', modification: 'ANNOTATIONS' })
  expect(headlineOf('INVALID', [undecided, failed]).code).toBe('signature-invalid')
})

test('verdict about an undecided file that readers may show differently: readers-may-differ', () => {
  const doubtful = aSignatureReport({
    indication: 'INDETERMINATE',
    subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
  })
  const code = 'readers-may-differ'
  expect(headlineOf('INDETERMINATE', [doubtful], { isAmbiguous: true }).code).toBe(code)
  expect(undecided({ warnings: [warning('signed-in-two-ways')] })).toBe(code)
})

test.each<[Headline['code'], Partial<SignatureReport>]>([
  ['signed-authority-unknown', { subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' }],
  ['signed-certificate-out-of-bounds', { subIndication: 'OUT_OF_BOUNDS_NO_POE' }],
  ['signed-certificate-revoked', { subIndication: 'REVOKED_NO_POE' }],
  ['signed-authority-revoked', { subIndication: 'REVOKED_CA_NO_POE' }],
  ['signed-revocation-unknown', { subIndication: 'TRY_LATER' }],
  ['signed-algorithm-weak', { subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' }],
  ['no-verdict', { subIndication: 'SIG_CONSTRAINTS_FAILURE' }],
  ['no-verdict', { subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', intact: false }],
])('verdict about an undecided file: %s', (code, changes) => {
  expect(undecided(changes)).toBe(code)
})
