import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'

const FIELDS = '/AcroForm<</Fields[20 0 R 22 0 R 24 0 R]>>/DSS 30 0 R/Extensions 31 0 R/Own 32 0 R'
const document = readDocument(
  memorySource(
    pdfWithTable({
      ...bodiesWithPages(1, FIELDS),
      20: '<</FT/Tx/T(Precio)/V 40 0 R/AP<</N 41 0 R>>/MK 42 0 R>>',
      22: '<</FT/Sig/T(Firmada)/V 43 0 R/AP<</N 44 0 R>>>>',
      24: '<</FT/Sig/T(Vacia)/AP<</N 45 0 R>>>>',
      30: '<<>>',
      31: '<<>>',
      32: '<</V 46 0 R>>',
      40: '(1000)',
      41: streamBody(''),
      42: '<<>>',
      43: '<</Type/Sig>>',
      44: streamBody(''),
      45: streamBody(''),
      46: '(nada)',
    }),
  ),
)

test.each([
  ['the value of a field', 40, false],
  ['the look of a field', 41, false],
  ['another entry of a field', 42, true],
  ['a signature', 43, true],
  ['the look of a signature', 44, true],
  ['the look of a field that waits for a signature', 45, false],
  ['a value of something that is no field', 46, true],
  ['validation data', 30, false],
  ['extensions', 31, false],
  ['another entry of the catalog', 32, true],
  ['a page', 10, true],
])('comparison: %s (%i) is what later changes must leave alone: %s', (_, number, isShared) => {
  expect(compareDocuments(document, document).isShared(number)).toBe(isShared)
})
