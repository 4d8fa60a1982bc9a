import { expect, test } from 'vitest'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

/* Notes and marks may be added if the signer allows it; an annotation that could hide content may not. */

type Added = {
  kind: string
  rect?: number[]
  look?: string
  more?: (update: IncrementalUpdate) => Record<string, PdfObject>
  resources?: (update: IncrementalUpdate) => PdfObject
  matrix?: readonly number[]
}

const MULTIPLY = () =>
  dictionary({ ExtGState: dictionary({ G: dictionary({ BM: name('Multiply') }) }) })

function annotated(
  { kind, rect = [30, 140, 120, 160], look, more, resources, matrix }: Added,
  page: Bodies = {},
) {
  const base = signed(pdfWithTable({ ...bodiesWithPages(2), ...page }))
  return changed(base, (update) => {
    const appearance = look && {
      AP: dictionary({
        N: update.add(
          newStream(look, {
            Subtype: name('Form'),
            BBox: array(rect),
            ...(matrix && { Matrix: array([...matrix]) }),
            ...(resources && { Resources: resources(update) }),
          }),
        ),
      }),
    }
    const annotation = update.add(
      dictionary({ Subtype: name(kind), Rect: array(rect), ...appearance, ...more?.(update) }),
    )
    edit(update, 12, { Annots: array([annotation]) })
  })
}

const levelOf = (added: Added) => changesIn(annotated(added)).map(({ level }) => level)

const marked = (places: readonly number[]) => ({ QuadPoints: array([...places]) })
/** Of two lines of a text. */
const LINES = [30, 160, 120, 160, 30, 150, 120, 150, 30, 150, 120, 150, 30, 140, 120, 140]
const TWICE = [...LINES, ...LINES]
const STRIPS = Array.from({ length: 20 }, (_, at) => [
  30,
  141 + at,
  120,
  141 + at,
  30,
  140 + at,
  120,
  140 + at,
])

const SMALL = [10, 10, 30, 30]

test.each<[string, Added]>([
  [
    'a note',
    { kind: 'Text', rect: SMALL, more: () => ({ Contents: byteString(bytesOf('nota')) }) },
  ],
  [
    'a note whose icon is the reader’s, however large its place',
    { kind: 'Text', rect: [0, 0, 300, 300] },
  ],
  ['a note with an icon', { kind: 'Text', rect: SMALL, look: '1 1 0 rg 0 0 20 20 re f' }],
  ['a window for a note', { kind: 'Popup', rect: [0, 0, 200, 200] }],
  [
    'a window without a place',
    { kind: 'Popup', more: () => ({ Rect: array([10, 10, name('x'), 30]) }) },
  ],
  ['a highlight that readers draw', { kind: 'Highlight', more: () => ({ C: array([1, 1, 0]) }) }],
  ['a line that readers draw', { kind: 'StrikeOut', more: () => marked(LINES) }],
  [
    'a highlight that lets the text through',
    { kind: 'Highlight', look: '/G gs 1 1 0 rg 30 140 90 20 re f', resources: MULTIPLY },
  ],
  [
    'one in two layers',
    {
      kind: 'Highlight',
      look: '/G gs /X Do',
      resources: (update) =>
        dictionary({
          ExtGState: dictionary({ G: dictionary({ BM: array([name('Multiply')]) }) }),
          XObject: dictionary({
            X: update.add(
              newStream('1 1 0 rg 30 140 90 20 re f', {
                Subtype: name('Form'),
                BBox: array([30, 140, 120, 160]),
              }),
            ),
          }),
        }),
    },
  ],
  ['a line below', { kind: 'Underline', look: '1 w 30 142 m 120 142 l S' }],
  ['a line through', { kind: 'StrikeOut', look: '1 w 30 150 m 120 150 l S' }],
])('%s is an annotation', (_, added) => {
  const [change, ...more] = changesIn(annotated(added))
  expect(more).toEqual([])
  expect(change).toMatchObject({
    level: 'ANNOTATIONS',
    page: 2,
    ...changeFact('note-added', { page: 2 }),
  })
})

test.each<[string, Added]>([
  ['free text', { kind: 'FreeText' }],
  ['a stamp', { kind: 'Stamp' }],
  ['a square', { kind: 'Square' }],
  ['a link', { kind: 'Link' }],
  ['ink', { kind: 'Ink' }],
  ['a redaction', { kind: 'Redact' }],
  ['a widget', { kind: 'Widget' }],
  ['an unknown kind', { kind: 'Own' }],
  [
    'a note as large as the page',
    { kind: 'Text', rect: [0, 0, 300, 300], look: '1 g 0 0 9 9 re f' },
  ],
  ['a note that says something else', { kind: 'Text', rect: SMALL, look: 'BT (9000) Tj ET' }],
  ['a highlight that covers', { kind: 'Highlight', look: '1 g 30 140 90 20 re f' }],
  [
    'a highlight that lets the text through at first',
    { kind: 'Highlight', look: 'q /G gs Q 1 g 30 140 90 20 re f', resources: MULTIPLY },
  ],
  ['a highlight of no colour', { kind: 'Highlight' }],
  ['a dark highlight', { kind: 'Highlight', more: () => ({ C: array([0, 0, 0.5]) }) }],
  [
    'a highlight of one place many times',
    { kind: 'Highlight', more: () => ({ C: array([1, 1, 0]), ...marked(TWICE) }) },
  ],
  ['a line of many strips', { kind: 'StrikeOut', more: () => marked(STRIPS.flat()) }],
  [
    'a dark highlight that multiplies',
    { kind: 'Highlight', look: '/G gs 30 140 90 20 re f', resources: MULTIPLY },
  ],
  [
    'a line of many lines',
    {
      kind: 'StrikeOut',
      look: Array.from(
        { length: 9 },
        (_, at) => `3 w 30 ${140 + 2 * at} m 120 ${140 + 2 * at} l S`,
      ).join(' '),
    },
  ],
  ['a line that is a bar', { kind: 'StrikeOut', look: '30 w 30 150 m 120 150 l S' }],
  ['a line that is enlarged', { kind: 'StrikeOut', look: '9 0 0 9 0 0 cm 1 w 3 15 m 12 15 l S' }],
  ['a picture', { kind: 'Highlight', look: 'BI /W 1 /H 1 ID x EI' }],
  ['a shading', { kind: 'Highlight', look: '/S sh' }],
  ['a look that cannot be read', { kind: 'Highlight', look: '(' }],
  ['an action', { kind: 'Text', rect: SMALL, more: () => ({ A: dictionary({ S: name('URI') }) }) }],
  ['a layer', { kind: 'Text', rect: SMALL, more: () => ({ OC: dictionary({}) }) }],
])('%s is an overlay', (_, added) => {
  expect(levelOf(added)).toEqual(['OTHER'])
  expect(changesIn(annotated(added))[0]!.attack).toBe('overlay-by-annotation')
})

test.each([
  ['is moved', [1, 0, 0, 1, 0, 3], 'ANNOTATIONS'],
  ['is enlarged', [9, 0, 0, 9, 0, 0], 'OTHER'],
  ['is enlarged upwards', [1, 0, 0, 9, 0, 0], 'OTHER'],
  ['is turned', [0, 1, -1, 0, 0, 0], 'OTHER'],
])('a line below words whose look %s', (_, matrix, level) => {
  const look = '1 w 30 142 m 120 142 l S'
  expect(levelOf({ kind: 'Underline', look, matrix })).toEqual([level])
})

test.each(['Highlight', 'Underline', 'Squiggly', 'StrikeOut'])(
  '%s: its lines may be as wide as lines below a word, and no wider',
  (kind) => {
    const lined = (width: number) => ({ kind, look: `${width} w 30 150 m 120 150 l S` })
    expect([levelOf(lined(3)), levelOf(lined(3.01))]).toEqual([['ANNOTATIONS'], ['OTHER']])
  },
)

test.each<[string, PdfObject[], string]>([
  ['small', [10, 10, 30, 30], 'ANNOTATIONS'],
  ['as large as an icon', [10, 10, 50, 50], 'ANNOTATIONS'],
  ['larger', [10, 10, 51, 30], 'OTHER'],
  ['no place', [10, 10, name('x'), 30], 'OTHER'],
  ['half a place', [10, 10, null, 30], 'OTHER'],
])('a note with an icon whose place is %s', (_, rectangle, level) => {
  const more = () => ({ Rect: array(rectangle) })
  const look = '1 1 0 rg 0 0 20 20 re f'
  expect(levelOf({ kind: 'Text', rect: [10, 10, 40, 40], look, more })).toEqual([level])
})

test.each<[string, PdfObject[]]>([
  ['no numbers', [30, 140, name('x'), 160]],
  ['numbers in part', [30, 140, null, 160]],
])('a look whose box has %s is an overlay', (_, box) => {
  const file = changed(signed(pdfWithTable(bodiesWithPages(2))), (update) => {
    const form = { Subtype: name('Form'), BBox: array(box) }
    const N = update.add(newStream('1 w 30 150 m 120 150 l S', form))
    const Rect = array([30, 140, 120, 160])
    const AP = dictionary({ N })
    const mark = update.add(dictionary({ Subtype: name('StrikeOut'), Rect, AP }))
    edit(update, 12, { Annots: array([mark]) })
  })
  expect(changesIn(file).map(({ level }) => level)).toEqual(['OTHER'])
})

test('a note that waited in the signed file is none', () => {
  const waiting = { 30: '<</Subtype/Text/Rect[10 10 30 30]>>' }
  const base = signed(pdfWithTable({ ...bodiesWithPages(2), ...waiting }))
  const file = changed(base, (update) => edit(update, 12, { Annots: array([reference(30)]) }))
  expect(changesIn(file).map(({ level }) => level)).toEqual(['OTHER'])
})
