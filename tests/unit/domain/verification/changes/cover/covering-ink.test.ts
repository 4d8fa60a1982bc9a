import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { coveringLooks } from '#server/domain/verification/changes/cover/covering-ink.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 100 100]'

/** The look of a widget from (200, 100) on, or in another place. */
function lookOf(content: string, rectangle = '[200 100 300 200]') {
  const document = readDocument(
    memorySource(
      pdfWithTable({
        ...bodiesWithPages(1),
        30: `<</Subtype/Widget/F 4/Rect${rectangle}/AP<</N 31 0 R>>>>`,
        31: streamBody(content, FORM),
      }),
    ),
  )
  return coveringLooks(document)(30)
}
const areasOf = (content: string) =>
  lookOf(content)!.areas.map(({ box: { left, bottom, right, top } }) => [left, bottom, right, top])

test.each<[string, string, number[][]]>([
  ['a thin dark line', '0 G 1 w 10 10 m 90 80 l S', []],
  ['a thin pale line', '0.9 G 1 w 10 10 m 90 10 l S', [[209.5, 109.5, 290.5, 110.5]]],
  ['a line that is not thin', '0 G 4 w 10 10 m 90 10 l S', []],
  ['a wide line', '0 G 6 w 10 10 m 90 10 l S', [[207, 107, 293, 113]]],
  ['an area', '0 g 10 10 40 40 re f', [[210, 110, 250, 150]]],
  ['an area as thin as a line', '0 g 10 10 40 2 re f', []],
  ['a pale area as thin as a line', '0.9 g 10 10 40 2 re f', [[210, 110, 250, 112]]],
])('look over a page: %s hides these places', (_, content, areas) => {
  expect(areasOf(content)).toEqual(areas)
})

test('look over a page: without a place it is drawn anywhere, if it draws something', () => {
  expect(lookOf('', '[0 0 0 0]')).toBeUndefined()
  expect(lookOf('q Q', '[0 0 0 0]')).toBeUndefined()
  expect(lookOf('0 g 0 0 9 9 re f', '[0 0 0 0]')).toMatchObject({ areas: [], reachOut: 'doubtful' })
})

test('look over a page: with something else for a place it may be anywhere', () => {
  expect(lookOf('', '(nada)')).toMatchObject({ areas: [{ box: { left: -1e5 } }] })
})
