import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { ambiguitiesOf, warningsOf } from '#server/domain/verification/file-warnings.ts'
import { deedBodies, FREE, layOut } from '#tests/attacks/deed.ts'
import { appendRevision, type RevisionStyle } from '#tests/attacks/revision.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/** Object streams, and then a table in which the row of what the second page shows leads elsewhere. */
const astray = () =>
  appendRevision(
    layOut(deedBodies(), 'object stream').file,
    { [FREE]: '(nada)' },
    { style: 'table', rows: { 13: [1, 5, 0] } },
  )

test('file warnings: a row that leads elsewhere is found, whatever was read before', () => {
  const document = readDocument(memorySource(astray()))
  expect(document.isRepaired).toBe(false)
  const warnings = ambiguitiesOf(document, { isHidden: false, isAmbiguous: false })
  expect(codesOf(warnings)).toContain('cross-reference-damaged')
})

/** Object streams, and then a page that shows an object which no row lists. */
const leadingNowhere = (style: RevisionStyle) => {
  const { file, bodies } = layOut(deedBodies(), 'object stream')
  return appendRevision(file, { 12: bodies[12]!.replace('13 0 R', '99 0 R') }, { style })
}

test('file warnings: a page that leads to no object counts where readers rebuild the file for it', () => {
  const codes = (style: RevisionStyle) =>
    codesOf(
      ambiguitiesOf(readDocument(memorySource(leadingNowhere(style))), {
        isHidden: false,
        isAmbiguous: false,
      }),
    )
  expect(codes('table')).toEqual(['cross-reference-damaged'])
  expect(codes('stream')).toEqual([])
})

test('file warnings: what is harmless is said', () => {
  const codes = (changes: Partial<PdfDocument>) =>
    codesOf(
      warningsOf({
        ...{ base: 0, isRepaired: false, isRebuilt: false, isEncrypted: false },
        ...changes,
      } as PdfDocument),
    )
  expect(codes({})).toEqual([])
  expect(codes({ base: 9 })).toEqual(['data-before-document'])
  expect(codes({ isRepaired: true })).toEqual(['references-corrected'])
  expect(codes({ isRepaired: true, isRebuilt: true })).toEqual([])
  expect(codes({ isEncrypted: true })).toEqual(['encrypted'])
})
