import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf } from '#server/domain/pdf/object.ts'
import { IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import { inkOfContent } from '#server/domain/verification/looks/ink.ts'
import { UNREADABLE } from '#server/domain/verification/looks/marks.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { documentOf, drawn } from './drawn.ts'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'
const BODIES: Bodies = {
  ...bodiesWithPages(1),
  20: '<</Font<</F1 3 0 R>>/XObject<</Fm 21 0 R/Empty 22 0 R>>>>',
  21: streamBody('0 0 9 9 re f '.repeat(1000), FORM),
  22: streamBody(' '.repeat(100_000), FORM),
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

test('ink: a form of a thousand areas may be drawn fifty times', () => {
  expect(marksOf('/Fm Do '.repeat(50))).toBe(50_000)
})

test('ink: a form that draws nothing costs as much as reading it', () => {
  expect(marksOf('/Empty Do '.repeat(290))).toBe(0)
  expect(() => marksOf('/Empty Do '.repeat(310))).toThrow(TOO_COMPLEX)
})

test('ink: refuses a path of too many lines', () => {
  expect(() => marksOf(`0 0 m ${'1 1 l '.repeat(400_000)} S`)).toThrow(TOO_COMPLEX)
})

test('ink: a stream that is damaged may draw anything', () => {
  const damaged = () => {
    throw new PdfError('damaged', 'cut off')
  }
  const clip = { left: 0, bottom: 0, right: 9, top: 9 }
  const ink = inkOfContent(documentOf({}), damaged, new Map(), { matrix: IDENTITY, clip })
  expect(ink).toBe(UNREADABLE)
  expect(ink).toEqual({ marks: [], isOdd: true, isCut: true, isUnread: true })
})

test.each(['DefaultGray', 'DefaultRGB', 'DefaultCMYK'])(
  'ink: a space %s gives all colours another meaning',
  (space) => {
    const isOdd = (key: string) => drawn('0 g', `<</ColorSpace<</${key}/DeviceGray>>>>`).isOdd
    expect([isOdd(space), isOdd('Own')]).toEqual([true, false])
  },
)

test.each<[string, boolean]>([
  ['q BT /F1 9 Tf (a) Tj ET Q', false],
  ['Q', true],
  ['BT q ET', true],
  ['BT 1 0 0 1 0 0 cm ET', true],
  ['BT BT ET', true],
  ['/F1 9 Tf (a) Tj', true],
  ['1 2 Td', true],
])(
  'ink: readers differ about instructions that are not in their place: %s: %s',
  (content, isOdd) => {
    expect(drawn(content, '<</Font<</F1 3 0 R>>>>').isOdd).toBe(isOdd)
  },
)
