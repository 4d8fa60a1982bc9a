import { expect, test } from 'vitest'
import { faultOfArchived, isAtLeast } from '#server/domain/verification/fault-of-archived.ts'
import { aSignatureReport, aVerificationReport } from '#tests/support/pdf/verification-reports.ts'

const [first, second] = ['Firma1', 'Firma2'].map((field) => aSignatureReport({ field })) as [
  ReturnType<typeof aSignatureReport>,
  ReturnType<typeof aSignatureReport>,
]
const stamp = aSignatureReport({ field: 'Sello1', kind: 'document-timestamp' })
const reportOf = (...signatures: (typeof first)[]) => aVerificationReport({ signatures })
const before = reportOf(first, second)

test('archived file: added timestamps that count, and signatures as good as before, have no fault', () => {
  expect(faultOfArchived(reportOf(first, second, stamp), before)).toBeUndefined()
})

test('archived file: of several faults the first is named', () => {
  const worse = reportOf({ ...first, intact: false }, { ...second, intact: false }, stamp)
  expect(faultOfArchived(worse, before)).toContain('Firma1')
  expect(faultOfArchived(reportOf(first, { ...second, intact: false }), before)).toContain('Firma2')
  const stamps = [stamp, { ...stamp, field: 'Sello2' }].map((one) => ({ ...one, trusted: false }))
  expect(faultOfArchived(reportOf(first, second, ...stamps), before)).toContain('Sello1')
})

test('level of an archived file: each of the signatures that are asked about reaches it', () => {
  const levels = reportOf({ ...first, level: 'B-LT' }, { ...second, level: 'B-T' })
  const reach = (fields: string[], level: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA') =>
    isAtLeast(levels, fields, level)
  expect(reach(['Firma1', 'Firma2'], 'B-T')).toBe(true)
  expect(reach(['Firma1', 'Firma2'], 'B-LT')).toBe(false)
  expect(reach(['Firma1'], 'B-LT')).toBe(true)
  expect(reach(['Firma1'], 'B-LTA')).toBe(false)
  expect(reach(['Firma3'], 'B-B')).toBe(false)
})
