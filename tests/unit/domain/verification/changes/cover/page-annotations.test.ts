import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { pageAnnotations } from '#server/domain/verification/changes/cover/page-annotations.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'

const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F1 3 0 R>>>>'

/** What pages show of an annotation with these entries; its look is 31, which is not empty, or 32. */
function annotationsWith(entries: string, fields = '') {
  const plain = bodiesWithPages(1, `/AcroForm<</Fields[${fields}]>>`)
  const document = readDocument(
    memorySource(
      pdfWithTable({
        ...plain,
        10: plain[10]!.replace('/Contents', '/Annots[30 0 R]/Contents'),
        30: `<<${entries}>>`,
        31: streamBody('BT /F1 6 Tf 2 2 Td (mil) Tj ET 1 w 0 1 m 90 1 l S', LOOK),
        32: streamBody('', LOOK),
      }),
    ),
  )
  const [page] = pagesOf(document)
  return { page: page!, shownOn: pageAnnotations(document) }
}

function shownOf(entries: string, fields = '') {
  const { page, shownOn } = annotationsWith(entries, fields)
  return shownOn(page)
}
const PLACE = '/Rect[100 200 190 209]'

test.each([
  ['a note', `/Subtype/Text${PLACE}`, 1],
  ['a note without a place', '/Subtype/Text', 0],
  ['a look without a place', '/Subtype/Stamp/AP<</N 31 0 R>>', 0],
  ['a note of no size', '/Subtype/Text/Rect[100 200 100 209]', 0],
  ['a window', `/Subtype/Popup${PLACE}`, 0],
  ['a net of a printer', `/Subtype/TrapNet${PLACE}`, 0],
  ['what says no kind', PLACE, 0],
  ['a stamp with a look', `/Subtype/Stamp${PLACE}/AP<</N 31 0 R>>`, 1],
  ['a stamp with an empty look', `/Subtype/Stamp${PLACE}/AP<</N 32 0 R>>`, 0],
  ['a link', `/Subtype/Link${PLACE}`, 1],
  ['a link without a border', `/Subtype/Link${PLACE}/Border[0 0 0]`, 0],
  ['a field without a value', `/Subtype/Widget/FT/Tx${PLACE}`, 0],
  ['a field with a value', `/Subtype/Widget/FT/Tx${PLACE}/V(mil)`, 1],
  ['a field with a background', `/Subtype/Widget/FT/Tx${PLACE}/MK<</BG[1]>>`, 1],
  ['a field with a border', `/Subtype/Widget/FT/Tx${PLACE}/MK<</BC[0]>>`, 1],
])('annotations of a page: %s is shown %s: %i', (_, entries, count) => {
  expect(shownOf(entries)).toHaveLength(count)
})

test('annotations of a page: signatures are told from other fields', () => {
  const field = (type: string) => `/Subtype/Widget/FT/${type}/T(Uno)${PLACE}/AP<</N 31 0 R>>`
  expect(shownOf(field('Sig'), '30 0 R')).toMatchObject([{ number: 30, isSignature: true }])
  expect(shownOf(field('Tx'), '30 0 R')).toMatchObject([{ number: 30, isSignature: false }])
})

test('annotations of a page: what a look draws stands in the place of the annotation', () => {
  const [shown] = shownOf(`/Subtype/Stamp${PLACE}/AP<</N 31 0 R>>`)
  const { marks, isWhole } = shown!.content()
  expect(isWhole).toBe(true)
  const [text, line] = marks
  expect(text).toMatchObject({ kind: 'text', start: [102, 202] })
  if (text?.kind !== 'text') throw new TypeError('no text')
  for (const end of [text.leastEnd, text.likelyEnd, text.mostEnd, text.end[0]]) {
    expect(end).toBeGreaterThan(102)
    expect(end).toBeLessThan(190)
  }
  expect(line).toMatchObject({
    kind: 'stroke',
    segments: [
      [
        [100, 201],
        [190, 201],
      ],
    ],
  })
})

test('annotations of a page: readers draw a border around a link, and nothing else is known', () => {
  const [link] = shownOf(`/Subtype/Link${PLACE}`)
  expect(link!.content()).toMatchObject({ isWhole: true, marks: [{ kind: 'stroke' }] })
  const [note] = shownOf(`/Subtype/Text${PLACE}`)
  expect(note!.content()).toEqual({ marks: [], isWhole: true, isUnread: false, pieces: 0 })
})

test('annotations of a page: are read once', () => {
  const { page, shownOn } = annotationsWith(`/Subtype/Text${PLACE}`)
  expect(shownOn(page)).toBe(shownOn(page))
})
