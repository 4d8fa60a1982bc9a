import { expect, test } from 'vitest'
import { boundedSignatures, MOST_TIMESTAMPS } from '#server/domain/verification/bounded-report.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

test('bounded report: long reasons of timestamps do not make it long', () => {
  const stamp = {
    kind: 'signature' as const,
    valid: false,
    time: null,
    authority: null,
    vouched: false,
    trusted: false,
    reason: warning('format-unsupported', { format: 'x'.repeat(2000) }),
  }
  const signature = aSignatureReport({
    timestamps: Array.from({ length: MOST_TIMESTAMPS }, () => stamp),
  })
  const many = Array.from({ length: 15 }, () => signature)
  const { signatures, warnings } = boundedSignatures(many)
  const listed = signatures.flatMap(({ timestamps }) => timestamps)
  expect(listed).toHaveLength(200)
  expect(warnings).toEqual([
    warning('timestamps-left-out', { total: 15 * MOST_TIMESTAMPS, listed: 200 }),
  ])
})
