import { expect, test } from 'vitest'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { faultOfOwnSignature } from '#server/domain/verification/fault-of-own-signature.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'

const own = {
  field: 'Firma2',
  intact: true,
  valid: true,
  trusted: true,
  level: 'B-B',
  indication: 'TOTAL_PASSED',
  coverage: 'ENTIRE_FILE',
  modification: 'NONE',
  docMdp: null,
  changes: [] as SignatureReport['changes'],
  signer: { sha256: 'ab' },
} as unknown as SignatureReport
const earlier: SignatureReport = { ...own, field: 'Firma1' }
const earlierNow: SignatureReport = {
  ...earlier,
  coverage: 'ENTIRE_REVISION',
  modification: 'FORM_FILLING',
}

const change = { revision: 2, level: 'FORM_FILLING', object: '9 0' } as const
const covers = changeFact('signature-may-cover-content', { field: 'Firma2', page: 1 })

const reportOf = (...signatures: SignatureReport[]) => ({ signatures }) as VerificationReport
const before = reportOf(earlier)
const faultOf = (report: VerificationReport) =>
  faultOfOwnSignature(report, { field: 'Firma2', certificateSha256: 'ab', before })

test('a good signature after a good one passes', () => {
  expect(faultOf(reportOf(earlierNow, own))).toBeUndefined()
})

test.each<[string, Partial<SignatureReport>]>([
  ['is not there', { field: 'Firma9' }],
  ['is not intact', { intact: false }],
  ['is not valid', { valid: false }],
  ['is not trusted', { trusted: false }],
  ['does not cover the whole file', { coverage: 'ENTIRE_REVISION' }],
  ['was followed by a change', { modification: 'FORM_FILLING' }],
  ['is of another certificate', { signer: { ...own.signer!, sha256: 'cd' } }],
  ['is no PAdES signature', { level: 'NOT_PADES' }],
])('a signature that %s does not pass', (_, changes) => {
  expect(faultOf(reportOf(earlierNow, { ...own, ...changes }))).toBeTypeOf('string')
})

test.each<[string, SignatureReport[]]>([
  ['is gone', []],
  ['is another', [{ ...earlierNow, field: 'Firma0' }]],
  ['is no longer intact', [{ ...earlierNow, intact: false }]],
  ['is no longer trusted', [{ ...earlierNow, trusted: false }]],
  ['fell in its indication', [{ ...earlierNow, indication: 'INDETERMINATE' }]],
  ['sees a change that is not allowed', [{ ...earlierNow, modification: 'OTHER' }]],
  ['may be covered', [{ ...earlierNow, changes: [{ ...change, ...covers }] }]],
  ['came with another', [earlierNow, { ...earlierNow, field: 'Firma0' }]],
])('does not pass if an earlier signature %s', (_, others) => {
  expect(faultOf(reportOf(...others, own))).toBeTypeOf('string')
})
