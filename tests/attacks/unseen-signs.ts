import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, valid } from './attack.ts'
import type { Deed } from './deed.ts'
import { afterSignature } from './settings.ts'

/* A box is ticked, and its sign is not seen: it is beside the box, cut off, pale, too small, or below something. */

const SIGNS = '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>'
const RESOURCES = `/Resources<</ExtGState<</T<</ca 0>>>>/Font<</F1 3 0 R/Z ${SIGNS}>>>>`
const drawn = (content: string) =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 90 9]${RESOURCES}`)

const ticked = (content: string) => (deed: Deed) => ({
  14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
  15: drawn(content),
})

/** How the letters of a sign are set. */
const set = (setting: string, text = '4', font = 'Z 8') =>
  `BT /${font} Tf ${setting} (${text}) Tj ET`
const TICK = set('2 2 Td')

const UNSEEN: readonly (readonly [string, string])[] = [
  ['above the box', set('8 Ts 2 2 Td')],
  ['below the box', set('-8 Ts 2 2 Td')],
  ['left of the box', set('-8 2 Td')],
  ['right of the box', set('89 2 Td')],
  ['cut off', `q 40 0 9 9 re W n ${TICK} Q`],
  ['cut off but for a hair', `q 0 4 90 .2 re W n ${TICK} Q`],
  ['white', set('1 g 2 2 Td')],
  ['nearly white', set('.9 g 2 2 Td')],
  ['half a point high', set('2 2 Td', '4', 'Z .5')],
  ['without a width', set('0 Tz 2 2 Td')],
  ['as narrow as a hair', set('1 Tz 2 2 Td')],
  ['transparent', `/T gs ${TICK}`],
  ['a space', set('2 2 Td', ' ', 'F1 8')],
  ['a space of a font of signs', set('2 2 Td', ' ')],
  ['no letter of a font of signs', set('2 2 Td', '\\001')],
  ['a letter that some fonts of signs have', set('2 2 Td', '\\200')],
  ['below a wide white outline', set('2 Tr 1 G 20 w 2 2 Td')],
  ['below a thin white outline', set('2 Tr 1 G .1 w 2 2 Td')],
  ['a line above the box', '1 w 2 22 m 8 28 l S'],
  ['a line without a length', '.01 w 2 2 m 2.1 2.1 l S'],
  ['a line of dots that are far apart', '1 w [.01 40] 0 d 2 2 m 8 8 l S'],
  ['a white line', '1 G 1 w 2 2 m 8 8 l S'],
  ['an area as small as a dot', '0 0 .01 .01 re f'],
  ['an area as thin as a hair', '2 2 86 .02 re f'],
  ['an area as thin as a hair, again and again', `${'2 2 9 .0075 re '.repeat(15)} f`],
  [
    'an area that goes around often',
    `2 2 m ${'11 2 l 11 2.0075 l 2 2.0075 l 2 2 l '.repeat(15)} f`,
  ],
  [
    'a curve that goes around often',
    `2 2 m ${'2 2.01 11 2.01 11 2 c 11 1.99 2 1.99 2 2 c '.repeat(20)} f`,
  ],
  ['an area without any', '2 2 m 8 8 l 2.01 2.01 l f'],
  ['a curve without an area', '2 2 m 2 2 8 8 8 8 c f'],
  ['an area that is taken away again', '2 2 5 5 re 2 2 5 5 re f*'],
  ['a line at the edge', '1 w 0 0 m 90 0 l S'],
]

/** As signed: the box has a white ground, which the looks may draw anew. */
const withGround = {
  changes: (deed: Deed) => ({
    14: deed.bodies[14]!.replace('/F 4', '/F 4/MK<</BG[1]>>'),
    16: drawn('1 g 0 0 90 9 re f'),
  }),
}

const disc = (corners: number) =>
  `7 4 m ${Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * (at + 1)) / corners
    return `${(4 + 3 * Math.cos(angle)).toFixed(3)} ${(4 + 3 * Math.sin(angle)).toFixed(3)} l`
  }).join(' ')} f`

const signs: Attack[] = [
  ...UNSEEN.map(([name, content]) =>
    afterSignature(`a sign that is not seen: ${name}`, ticked(content), INVALID),
  ),
  afterSignature(
    'a sign that is not seen: below the ground of the box',
    ticked(`${TICK} 1 g 0 0 90 9 re f`),
    INVALID,
    withGround,
  ),
  afterSignature(
    'a sign that is not seen: signed so',
    (deed) => ({ 14: ticked('')(deed)[14] }),
    INVALID,
    { changes: () => ({ 15: drawn(set('1 g 2 2 Td')) }) },
  ),
  ...[
    ['over the ground of the box', `1 g 0 0 90 9 re f 0 g ${TICK}`, withGround] as const,
    ['a little cut off', set('2 5 Td')] as const,
    ['a circle', '0 4 m 0 6 2 8 4 8 c 6 8 8 6 8 4 c 8 2 6 0 4 0 c 2 0 0 2 0 4 c f'] as const,
    ['a disc of lines', disc(40)] as const,
    ['a thin cross', '2 2 m 2.4 2 l 8 7.6 l 8 8 l 7.6 8 l 2 2.4 l f'] as const,
    ['two areas over each other', '2 2 5 5 re 3 3 5 5 re f'] as const,
    ['a square', '2 2 5 5 re f'] as const,
    ['a cross of lines', '.5 w 2 2 m 7 7 l 2 7 m 7 2 l S'] as const,
    ['a letter', set('2 2 Td', 'X', 'F1 8')] as const,
  ].map(([name, content, signing]) =>
    afterSignature(`a sign that is seen: ${name}`, ticked(content), valid('FORM_FILLING'), signing),
  ),
]

export const UNSEEN_SIGNS: readonly Family[] = [
  { name: 'signs of boxes that are not seen', attacks: signs },
]
