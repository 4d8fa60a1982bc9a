import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import type { PdfStream } from '#server/domain/pdf/object.ts'
import { paintedLook } from '#server/domain/verification/changes/painted-look.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 90 90]'
const RESOURCES = [
  '/Font<</F1 3 0 R/F3 34 0 R>>',
  '/XObject<</X 31 0 R/Large 32 0 R/Im 33 0 R/Self 30 0 R/Deep 43 0 R/Deeper 44 0 R/Odd 35 0 R>>',
  '/ExtGState<</M<</BM/Multiply>>/W<</LW 9>>/N<</BM/Normal>>>>',
].join('')

function painted(content: string) {
  const document = readDocument(
    memorySource(
      pdfWithTable({
        ...bodiesWithPages(1),
        30: streamBody(content, `${FORM}/Resources<<${RESOURCES}>>`),
        31: streamBody('2 w 0 0 m 9 9 l S', FORM),
        32: streamBody('2 w 0 0 m 9 9 l S', `${FORM}/Matrix[3 0 0 3 0 0]`),
        33: streamBody('x', '/Subtype/Image/Width 1/Height 1'),
        35: streamBody('2 w 0 0 m 9 9 l S', `${FORM}/Matrix[/x 0 0 3 0 0]`),
        // A form in a form, in so many more.
        40: streamBody('0 0 m 9 9 l S', FORM),
        ...Object.fromEntries(
          [1, 2, 3, 4].map((depth) => [
            40 + depth,
            streamBody('/In Do', `${FORM}/Resources<</XObject<</In ${39 + depth} 0 R>>>>`),
          ]),
        ),
        34: '<</Type/Font/Subtype/Type3/CharProcs<<>>>>',
      }),
    ),
  )
  return paintedLook(document, document.object(30)!.value as PdfStream)
}

const BLANK = { speaks: false, covers: false, strokes: 0, widestStroke: 0 }
const LINE = { ...BLANK, strokes: 1, widestStroke: 1 }
const TEXT = { ...BLANK, speaks: true, strokes: 1 }
const PICTURE = { speaks: true, covers: true, strokes: 1, widestStroke: 0 }
const EVERYTHING = { speaks: true, covers: true, strokes: 1, widestStroke: Infinity }

type Painting = [string, string, typeof BLANK]
const AREA = { ...BLANK, covers: true, strokes: 1 }
const MULTIPLIED = { ...BLANK, strokes: 1 }
const LINED = { ...LINE, covers: true }

test.each<Painting>([
  ['nothing', 'q Q', BLANK],
  ['what is not there', '/Missing Do', BLANK],
  ['a line', '0 0 m 9 9 l S', LINE],
  ['a wide line', '5 w 0 0 m 9 9 l s', { ...LINE, widestStroke: 5 }],
  ['a line after a wide one that was taken back', 'q 5 w Q 0 0 m 9 9 l S', LINE],
  ['the widest of two lines', '5 w 0 0 m 9 l S 2 w 0 0 m 9 9 l S', EVERYTHING],
  ['lines', '5 w 0 0 m 9 9 l S 2 w 0 0 m 9 9 l S', { ...LINE, strokes: 2, widestStroke: 5 }],
  ['a line as wide as a state says', '/W gs 0 0 m 9 9 l S', { ...LINE, widestStroke: 9 }],
  [
    'a line with a state that says no width',
    '5 w /N gs 0 0 m 9 9 l S',
    { ...LINE, widestStroke: 5 },
  ],
  ['a line that is enlarged', '4 0 0 2 0 0 cm 0 0 m 9 9 l S', { ...LINE, widestStroke: 4 }],
  ['a line that is made smaller', '.5 0 0 .5 0 0 cm 0 0 m 9 9 l S', LINE],
  ['a line that is moved', '1 0 0 1 99 99 cm 0 0 m 9 9 l S', LINE],
  ['a line that multiplies', '/M gs 5 w 0 0 m 9 9 l S', { ...BLANK, strokes: 1 }],
  ['an area that multiplies', '/M gs 0 0 9 9 re f', { ...BLANK, strokes: 1 }],
  ['an area that multiplies, with another state', '/M gs /W gs 0 0 9 9 re f', MULTIPLIED],
  ['an area after one that multiplies', '/M gs /N gs 0 0 9 9 re f', AREA],
  ['a form in three others', '/Deep Do', LINE],
  ['a form in four others', '/Deeper Do', EVERYTHING],
  ...['f', 'F', 'f*'].map((fill): Painting => [`an area by ${fill}`, `0 0 9 9 re ${fill}`, AREA]),
  ...['B', 'B*', 'b', 'b*'].map(
    (fill): Painting => [`an area with a line by ${fill}`, `0 0 9 9 re ${fill}`, LINED],
  ),
  ['text', 'BT /F1 9 Tf (a) Tj ET', TEXT],
  ['text in pieces', 'BT /F1 9 Tf [(a)] TJ ET', TEXT],
  ['text of drawn letters', 'BT /F3 9 Tf (a) Tj ET', { ...TEXT, covers: true }],
  ['text of letters after drawn ones', 'BT /F3 9 Tf /F1 9 Tf (a) Tj ET', TEXT],
  ['a shading', '/S sh', PICTURE],
  ['a picture in its place', 'BI /W 1 /H 1 ID x EI', PICTURE],
  ['a picture', '/Im Do', EVERYTHING],
  ['a form', '/X Do', { ...LINE, widestStroke: 2 }],
  ['a form that is enlarged', '/Large Do', { ...LINE, widestStroke: 6 }],
  ['a form of a size that is no number', '/Odd Do', { ...LINE, widestStroke: Infinity }],
  ['a form in an enlarged place', '2 0 0 2 0 0 cm /X Do', { ...LINE, widestStroke: 4 }],
  ['itself', '/Self Do', EVERYTHING],
  ['an instruction with too little', '9 re f', EVERYTHING],
])('painted look: %s', (_, content, look) => {
  expect(painted(content)).toEqual(look)
})

test('painted look: of what cannot be read is unknown', () => {
  expect(painted('(')).toBeUndefined()
})

test('painted look: of what is too long is not taken for damaged', () => {
  expect(() => painted('q Q '.repeat(1 << 18))).toThrow(
    expect.objectContaining({ code: 'too-complex' }),
  )
})
