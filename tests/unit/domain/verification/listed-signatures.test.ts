import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import {
  listedSignatures,
  MOST_FAULTY,
  MOST_LISTED,
} from '#server/domain/verification/listed-signatures.ts'
import type { SignatureReport } from '#server/domain/verification/report.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

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
