import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Answer, type Family, INVALID, valid } from './attack.ts'
import { type Deed, edited } from './deed.ts'
import { afterSignature } from './settings.ts'

/* Letters of which the field, or a clip, leaves only a part: 7 and 1 have the same foot, 6 and 0 too. */

const BOX = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F1 3 0 R>>>>'

const filled = (content: string) => (deed: Deed) => ({
  ...edited(deed, 5, '(1000)', '(2000)'),
  7: streamBody(content, BOX),
})

const written = (y: number) => `BT /F1 8 Tf 2 ${y} Td (2000) Tj ET`
const clipped = (clip: string) => `q ${clip} re W n ${written(2)} Q`

type Turn = 0 | 90 | 180 | 270
type Numbers = readonly number[]

/** A field of 90 by 20 points near the edge of what is shown of its page. */
const atEdge = (
  name: string,
  turn: Turn,
  crop: Numbers,
  answer: Answer,
  media = [0, 0, 300, 300],
) => {
  const isSideways = turn === 90 || turn === 270
  const place = isSideways ? '30 200 50 290' : '30 200 120 220'
  const field = (value: string) =>
    `<</FT/Tx/T(Precio)/V(${value})/MK<</R ${turn}>>/Type/Annot/Subtype/Widget/Rect[${place}]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  const entries = `/Matrix[${MATRICES[turn]}]${BOX.replace('90 9', '90 20')}`
  return afterSignature(
    `a value ${name} of a page that is turned by ${turn}`,
    () => ({ 5: field('8000.00'), 7: streamBody('BT /F1 16 Tf 0 4 Td (8000.00) Tj ET', entries) }),
    answer,
    {
      changes: (deed) => ({
        ...edited(
          deed,
          10,
          '/MediaBox[0 0 300 300]',
          `/MediaBox[${media.join(' ')}]/CropBox[${crop.join(' ')}]/Rotate ${turn}`,
        ),
        ...{ 5: field(''), 7: streamBody('', entries) },
      }),
    },
  )
}

const MATRICES: Record<Turn, string> = {
  0: '1 0 0 1 0 0',
  90: '0 1 -1 0 20 0',
  180: '-1 0 0 -1 90 20',
  270: '0 -1 1 0 0 90',
}

/** A field in a corner of its page, whose value has parts for which it has no room. */
const tooLong = (
  name: string,
  { entries, place, value, content }: Record<'entries' | 'place' | 'value' | 'content', string>,
) => {
  const [left, bottom, right, top] = place.split(' ').map(Number)
  const box = BOX.replace('90 9', `${right! - left!} ${top! - bottom!}`)
  const field = (written: string) =>
    `<<${entries}/T(Precio)/V(${written})/Type/Annot/Subtype/Widget/Rect[${place}]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  return afterSignature(
    `a value ${name}`,
    () => ({ 5: field(value), 7: streamBody(content, box) }),
    valid('FORM_FILLING'),
    { changes: () => ({ 5: field(''), 7: streamBody('', box) }) },
  )
}

const linesOf = (words: readonly string[], top: number) =>
  `BT /F1 8 Tf 2 ${top + 9} Td ${words.map((word) => `0 -9 Td (${word}) Tj`).join(' ')} ET`
const WORDS = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco', 'Seis', 'Siete']

/** No part of all families: the programs of the oracle also tell the words that a field cuts off. */
export const FIELDS_WITHOUT_ROOM: Family = {
  name: 'letters that their field cuts off',
  attacks: [
    tooLong('with lines below its field, near the foot of the page', {
      entries: '/FT/Tx/Ff 4096',
      place: '30 20 120 50',
      value: WORDS.join(' '),
      content: linesOf(WORDS, 21),
    }),
    tooLong('in a list with rows below its field, near the foot of the page', {
      entries: `/FT/Ch/Opt[${WORDS.map((word) => `(${word})`).join('')}]`,
      place: '30 20 120 50',
      value: 'Uno',
      content: `.8 .9 1 rg 1 19 88 9 re f 0 g ${linesOf(WORDS, 21)}`,
    }),
    tooLong('of several pieces, at the right edge of the page', {
      entries: '/FT/Tx',
      place: '200 200 290 209',
      value: 'Avenida de los Insurgentes Sur, numero mil doscientos',
      content:
        'BT /F1 8 Tf 2 2 Td (Avenida de los ) Tj (Insurgentes Sur, ) Tj (numero mil ) Tj (doscientos) Tj ET',
    }),
  ],
}

const cutByPage: Family = {
  name: 'letters that the page cuts off',
  attacks: [
    atEdge('beyond the edge', 0, [0, 0, 70, 300], INVALID),
    atEdge('beyond the edge', 90, [0, 0, 300, 240], INVALID),
    atEdge('beyond the edge', 180, [70, 0, 300, 300], INVALID),
    atEdge('beyond the edge', 270, [0, 240, 300, 300], INVALID),
    atEdge('with its upper half beyond the edge', 0, [0, 0, 300, 208], INVALID),
    atEdge('beyond the smaller media box', 0, [0, 0, 300, 300], INVALID, [0, 0, 70, 300]),
    atEdge('in a field that ends beyond the edge', 0, [0, 0, 100, 300], valid('FORM_FILLING')),
    atEdge('in a field that ends beyond the edge', 90, [0, 0, 300, 275], valid('FORM_FILLING')),
    atEdge('in a field that nothing shows', 0, [150, 0, 300, 300], valid('FORM_FILLING')),
    atEdge('in a box that is written backwards', 0, [300, 300, 0, 0], valid('FORM_FILLING')),
  ],
}

export const CUT_LETTERS: readonly Family[] = [
  {
    name: 'letters that are cut off',
    attacks: [
      ...[5, 6, 7].map((y) => [`at the top, from ${y} points on`, written(y)] as const),
      ...[-2, -2.8].map((y) => [`at the foot, from ${y} points on`, written(y)] as const),
      ['at the top in part', 'BT /F1 8 Tf 2 4 Td (2) Tj 4.5 1.9 Td (000) Tj ET'] as const,
      ['at the foot in part', 'BT /F1 8 Tf 2 -1 Td (2) Tj 4.5 -1.9 Td (000) Tj ET'] as const,
      ['at the top by a clip', clipped('0 0 90 6')] as const,
      ['at the foot by a clip', clipped('0 4 90 9')] as const,
    ]
      .map(([name, content]) =>
        afterSignature(`a value that is cut off ${name}`, filled(content), INVALID),
      )
      .concat(
        [
          ['at the top', written(4)] as const,
          ['at the foot', written(-1)] as const,
          ['by a clip', clipped('1 1 88 7')] as const,
        ].map(([name, content]) =>
          afterSignature(
            `a value that is cut off a little ${name}`,
            filled(content),
            valid('FORM_FILLING'),
          ),
        ),
      ),
  },
  cutByPage,
]
