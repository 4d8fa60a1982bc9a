import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { PdfObject } from '#server/domain/pdf/object.ts'
import { judgeCoverage } from '#server/domain/verification/coverage.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const document = { source: memorySource(bytesOf('0123456789<30>456789')) } as PdfDocument
const of = (...byteRange: readonly unknown[]) =>
  judgeCoverage(document, {
    byteRange: byteRange as PdfObject[],
    contentsSpan: { start: 10, end: 14 },
    contentsForm: 'hexadecimal',
  })

test.each<[string, readonly unknown[]]>([
  ['a first number that is none', ['0', 10, 14, 6]],
  ['a negative number', [0, -1, 14, 6]],
  ['a fraction', [0, 10, 14.5, 6]],
  ['a fraction before the gap', [0, 9.5, 14, 6]],
  ['a text', [0, 10, '14', 6]],
  ['a text that is negative', [0, 10, '-14', 6]],
  ['null', [0, 10, 14, null]],
  ['more than can be counted', [0, 10, 14, 2 ** 53]],
  ['another beginning than 0', [1, 10, 14, 6]],
  ['a gap of nothing', [0, 10, 10, 6]],
])('coverage: a byte range with %s is impossible, and nothing is digested for it', (_, range) => {
  expect(of(...range)).toEqual({
    coverage: 'UNCLEAR',
    reason: expect.objectContaining({ code: 'byte-range-impossible' }),
  })
})
