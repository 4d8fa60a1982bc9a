import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import {
  boundedSignatures,
  MOST_CHANGES,
  MOST_FIELDS,
  MOST_TIMESTAMPS,
  MOST_WARNINGS,
} from '#server/domain/verification/bounded-report.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { warning } from '#server/domain/verification/codes/warning.ts'
import {
  listedSignatures,
  MOST_FAULTY,
  MOST_LISTED,
} from '#server/domain/verification/listed-signatures.ts'
import type {
  Change,
  ModificationLevel,
  SignatureReport,
} from '#server/domain/verification/report.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { aSignatureReport, codesOf } from '#tests/support/pdf/verification-reports.ts'

const COUNT = 20_000

const reportsOf = (isFaulty: (number: number) => boolean): SignatureReport[] =>
  Array.from({ length: COUNT }, (_, at) =>
    aSignatureReport({ indication: isFaulty(at + 1) ? 'TOTAL_FAILED' : 'TOTAL_PASSED' }),
  )

test('as many signatures as a report lists: all are listed, without numbers', () => {
  const reports = reportsOf(() => true).slice(0, MOST_LISTED)
  expect(listedSignatures(reports)).toEqual(reports)
})

test('many valid signatures: the first ones and the last one are listed', () => {
  const listed = listedSignatures(reportsOf(() => false))
  expect(listed).toHaveLength(MOST_LISTED)
  expect(listed.slice(0, 2).map(({ number }) => number)).toEqual([1, 2])
  expect(listed.at(-1)!.number).toBe(COUNT)
})

test('one faulty signature among many: it is listed', () => {
  const listed = listedSignatures(reportsOf((number) => number === 12_345))
  const faulty = listed.filter(({ indication }) => indication === 'TOTAL_FAILED')
  expect(faulty.map(({ number }) => number)).toEqual([12_345])
})

test('many faulty signatures: there is room for valid ones', () => {
  const listed = listedSignatures(reportsOf((number) => number > 10_000))
  expect(listed).toHaveLength(MOST_LISTED)
  expect(listed.filter(({ indication }) => indication === 'TOTAL_FAILED')).toHaveLength(
    MOST_FAULTY + 1,
  )
})

test('a file with twenty thousand signatures: the report is small and says how many there are', async () => {
  const numbers = Array.from({ length: COUNT }, (_, at) => 100 + at)
  const references = numbers.map((number) => `${number} 0 R`).join(' ')
  const signature =
    '/Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents<3003020101>'
  const bodies = {
    ...bodiesWithPages(1, `/AcroForm<</SigFlags 3/Fields[${references}]>>`),
    ...Object.fromEntries(numbers.map((one) => [one, `<</FT/Sig/T(F${one})/V<<${signature}>>>>`])),
  }
  const report = verifyFile(memorySource(pdfWithTable(bodies)), 'a.pdf', await testPolicy())
  expect(report.verdict).toBe('INVALID')
  const [said] = report.warnings.filter(({ code }) => code === 'signatures-left-out')
  expect(sentenceOfWarning(said!)).toContain(`${COUNT} firmas`)
  expect(sentenceOfWarning(said!)).toContain(`${MOST_LISTED}`)
  expect(JSON.stringify(report).length).toBeLessThan(1 << 20)
})

const aChange = (level: ModificationLevel, object: number, field = `F${object}`): Change => ({
  ...{ revision: 2, level, object: `${object} 0` },
  ...changeFact('field-filled', { field, value: '1' }),
})
const more = (count: number): Change => ({
  ...{ revision: 2, level: 'ANNOTATIONS', object: '9 0' },
  ...changeFact('more-changes', { count }),
})
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

const countsIn = ({ changes }: SignatureReport) =>
  changes.flatMap((one) => (one.code === 'more-changes' ? [one.parameters.count] : []))

test('a report of a usual file is not changed', () => {
  const signature = aSignatureReport({
    changes: [...many(50, (index) => aChange('FORM_FILLING', index)), more(30)],
    fieldMdp: [{ action: 'Include', fields: ['Precio'], respected: true }],
    warnings: [warning('issuer-misnamed')],
  })
  const whole = many(30, () => signature)
  expect(boundedSignatures(whole)).toEqual({ signatures: whole, warnings: [] })
})

test('many changes: the worst ones of all signatures are listed, the others counted', () => {
  const harmless = aSignatureReport({
    changes: [...many(50, (index) => aChange('FORM_FILLING', index)), more(7)],
  })
  const modified = aSignatureReport({
    changes: [...many(40, (index) => aChange('FORM_FILLING', index)), aChange('OTHER', 99)],
  })
  const { signatures, warnings } = boundedSignatures([...many(199, () => harmless), modified])
  const listed = signatures.flatMap(({ changes }) => changes)
  expect(listed.length).toBeLessThanOrEqual(MOST_CHANGES)
  expect(signatures.at(-1)!.changes[0]).toEqual(aChange('OTHER', 99))
  expect(signatures.every(({ changes }) => changes.length >= 2)).toBe(true)
  const all = 199 * 57 + 41
  const counted = signatures.flatMap(countsIn).reduce((sum, count) => sum + count, 0)
  const shown = listed.filter(({ code }) => code !== 'more-changes').length
  expect(counted + shown).toBe(all)
  expect(warnings).toEqual([warning('changes-left-out', { total: all, listed: shown })])
})

test('many changes that forbid nothing hide none that does, wherever it stands', () => {
  const noise = many(3000, (index) => aChange('LTA_UPDATES', index))
  const { signatures } = boundedSignatures([
    aSignatureReport({ changes: noise }),
    aSignatureReport({ changes: [...noise, aChange('OTHER', 7), ...noise] }),
  ])
  expect(signatures[1]!.changes).toContainEqual(aChange('OTHER', 7))
})

test('long texts: fewer changes are listed, at least one of each signature', () => {
  const long = aSignatureReport({
    changes: many(50, (index) => aChange('FORM_FILLING', index, 'x'.repeat(2000))),
  })
  const { signatures, warnings } = boundedSignatures(many(200, () => long))
  expect(signatures.every(({ changes }) => changes.length >= 2)).toBe(true)
  expect(JSON.stringify(signatures).length).toBeLessThan(1_500_000)
  expect(codesOf(warnings)).toEqual(['changes-left-out'])
})

test('locked fields: some of each lock are listed', () => {
  const fields = many(100_000, (index) => `Campo ${index}`)
  const lock = { action: 'Include' as const, fields, respected: false }
  const { signatures, warnings } = boundedSignatures([
    aSignatureReport({ fieldMdp: [lock, { ...lock, fields: ['Precio'] }] }),
  ])
  expect(signatures[0]!.fieldMdp).toEqual([
    { ...lock, fields: fields.slice(0, MOST_FIELDS) },
    { ...lock, fields: ['Precio'] },
  ])
  expect(warnings).toEqual([
    warning('fields-left-out', { total: 100_001, listed: MOST_FIELDS + 1 }),
  ])
})

test('timestamps: those that count are listed first', () => {
  const stamp = (trusted: boolean) => ({
    ...{ kind: 'signature' as const, valid: trusted, time: null, authority: null },
    ...{ vouched: trusted, trusted, reason: null },
  })
  const timestamps = [...many(500, () => stamp(false)), stamp(true)]
  const { signatures, warnings } = boundedSignatures([aSignatureReport({ timestamps })])
  expect(signatures[0]!.timestamps).toHaveLength(MOST_TIMESTAMPS)
  expect(signatures[0]!.timestamps.at(-1)).toEqual(stamp(true))
  expect(warnings).toEqual([
    warning('timestamps-left-out', { total: 501, listed: MOST_TIMESTAMPS }),
  ])
})

test('remarks: the reason of the indication and one of each kind are listed', () => {
  const remarks = [
    warning('signature-differs'),
    ...many(500, (index) => warning('signatures-left-out', { total: index, listed: 1 })),
    warning('issuer-misnamed'),
  ]
  const { signatures, warnings } = boundedSignatures([aSignatureReport({ warnings: remarks })])
  const listed = signatures[0]!.warnings
  expect(listed).toHaveLength(MOST_WARNINGS)
  expect([listed[0], listed.at(-1)]).toEqual([remarks[0], remarks.at(-1)])
  expect(warnings).toEqual([warning('warnings-left-out', { total: 502, listed: MOST_WARNINGS })])
})
