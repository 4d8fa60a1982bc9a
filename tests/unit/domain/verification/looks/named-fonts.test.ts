import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { name } from '#server/domain/pdf/object.ts'
import { namesAlike } from '#server/domain/verification/looks/named-fonts.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

/** A form whose font F1 is this; the page's is object 3. */
function documentWith(font: string): PdfDocument {
  const bodies = bodiesWithPages(1, `/AcroForm<</Fields[]/DR<</Font<</F1 ${font}>>>>>>`)
  return readDocument(memorySource(pdfWithTable({ ...bodies, 4: bodies[3]! })))
}

/** A document that keeps no object: each is read anew. */
const forgetful = (document: PdfDocument): PdfDocument => ({
  ...document,
  resolve(value) {
    const found = document.resolve(value)
    return typeof found === 'object' && found !== null ? { ...found } : found
  },
})

test('font that a look lacks: one object of form and page is one font, however often it is read', () => {
  expect(namesAlike(documentWith('3 0 R'))(name('F1'))).toBe(true)
  expect(namesAlike(forgetful(documentWith('3 0 R')))(name('F1'))).toBe(true)
})

test('font that a look lacks: two objects are two fonts', () => {
  expect(namesAlike(documentWith('4 0 R'))(name('F1'))).toBe(false)
})
