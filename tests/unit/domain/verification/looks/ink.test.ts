import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf } from '#server/domain/pdf/object.ts'
import { IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'
const BODIES: Bodies = {
  ...bodiesWithPages(1),
  20: '<</Font<</F1 3 0 R>>/XObject<</Fm 21 0 R>>>>',
  21: streamBody('0 0 9 9 re f '.repeat(1000), FORM),
}
const TOO_COMPLEX = expect.objectContaining({ code: 'too-complex' })

function marksOf(content: string): number {
  const document: PdfDocument = readDocument(memorySource(pdfWithTable(BODIES)))
  const resources = entriesOf(document.object(20)?.value)
  const everywhere = { left: -1e6, bottom: -1e6, right: 1e6, top: 1e6 }
  const canvas = { matrix: IDENTITY, clip: everywhere }
  return inkOfContent(document, () => bytesOf(content), resources, canvas).marks.length
}

test('ink: reads as many letters as a large page has', () => {
  expect(marksOf(`BT /F1 9 Tf [${'(a)'.repeat(50_000)}] TJ ET`)).toBe(50_000)
})

test('ink: refuses one instruction that writes too many strings', () => {
  expect(() => marksOf(`BT /F1 9 Tf [${'(a)'.repeat(400_000)}] TJ ET`)).toThrow(TOO_COMPLEX)
})

test('ink: refuses a form that is drawn too many times', () => {
  expect(() => marksOf('/Fm Do '.repeat(400))).toThrow(TOO_COMPLEX)
})

test('ink: refuses a path of too many lines', () => {
  expect(() => marksOf(`0 0 m ${'1 1 l '.repeat(400_000)} S`)).toThrow(TOO_COMPLEX)
})
