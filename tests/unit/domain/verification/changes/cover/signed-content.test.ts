import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { signedContents } from '#server/domain/verification/changes/cover/signed-content.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

const BODIES: Bodies = {
  ...bodiesWithPages(1, '/AcroForm<</Fields[]>>'),
  10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</XObject<</Fm 20 0 R>>>>/Contents 11 0 R>>',
  11: streamBody('/Fm Do'),
  20: streamBody('0 0 9 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'),
}
const WORDS = streamBody('BT 0 0 Td (x) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]')

const read = (file: Uint8Array) => readDocument(memorySource(file))

/** What the page of each state draws, as the judgement of a signature on that state sees it. */
function contentsOf(states: readonly Uint8Array[]) {
  const latest = read(states.at(-1)!)
  return states.map((state) => {
    const comparison = compareDocuments(read(state), latest)
    return comparison.once(signedContents)(comparison.before.once(pagesOf)[0]!)
  })
}

const signed = pdfWithTable(BODIES)
/** An object that is no more than a reference to another one. */
const throughReference: Bodies = { ...BODIES, 20: '21 0 R', 21: BODIES[20]! }

test('content of a signed page: read once for all signatures if nothing of it changed', () => {
  const annotated = appendTable(signed, {
    10: BODIES[10]!.replace('/Contents', '/Annots[]/Contents'),
  })
  const [first, second] = contentsOf([signed, annotated])
  expect(first).toBe(second)
  expect(first!.marks.map(({ kind }) => kind)).toEqual(['fill'])
})

test.each<[string, Bodies]>([
  ['what it draws is replaced', { 20: WORDS }],
  ['its instructions are replaced', { 11: streamBody('BT (x) Tj ET') }],
  ['it gets other resources', { 10: BODIES[10]!.replace('20 0 R', '21 0 R'), 21: WORDS }],
  ['the form gains fonts', { 1: BODIES[1]!.replace('[]', '[]/DR<</Font<</F1 3 0 R>>>>') }],
])('content of a signed page: read as it was signed if %s later', (_, bodies) => {
  const [first, second] = contentsOf([signed, appendTable(signed, bodies)])
  expect(first).not.toBe(second)
  expect(first!.marks.map(({ kind }) => kind)).toEqual(['fill'])
})

test('content of a signed page: read as it was signed if the end of a chain of references is replaced later', () => {
  const chained = pdfWithTable(throughReference)
  const [first, second] = contentsOf([chained, appendTable(chained, { 21: WORDS })])
  expect(first).not.toBe(second)
  expect(first!.marks.map(({ kind }) => kind)).toEqual(['fill'])
})

test('content of a signed page: not whole if references lead in a circle', () => {
  const circle = pdfWithTable({ ...BODIES, 20: '21 0 R', 21: '20 0 R' })
  const [first, second] = contentsOf([circle, appendTable(circle, { 12: '<<>>' })])
  expect(first).toBe(second)
  expect(first!.isWhole).toBe(false)
})
