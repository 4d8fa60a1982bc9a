import { type Attack, type Family, valid } from '#tests/attacks/attack.ts'
import { DOUBTFUL, over } from '#tests/attacks/hidden-content.ts'
import { form, RESOURCES, withResources } from '#tests/attacks/odd-scans.ts'
import {
  filledOver,
  SCANNED,
  THREE,
  UNHARMED,
  WRITTEN_OVER,
} from '#tests/attacks/scanned-letters.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'

/* Filled fields over digits whose colour is pale, or that no letter or outline of the page draws. */

/** The page with a graphics state M, and with N that takes back what M does. */
const state = (entries: string) => ({
  60: form(''),
  ...withResources(`/ExtGState<</M<<${entries}>>/N<</BM/Normal/SMask/None>>>>`),
})
const fonts = (more: string): Bodies => {
  const page = withResources('')
  return { 10: page[10]!.replace('/Font<<', `/Font<<${more}`), 60: form('') }
}
const inGroup = (content: string, resources = '') =>
  form(
    `/N gs ${content}`,
    `/Group<</S/Transparency>>/Resources<</Font<</F1 3 0 R>>${resources}/ExtGState<</N<</BM/Normal/SMask/None>>>>>>`,
  )
const PAPER = '1 g 0 0 300 300 re f'
/** A 3. */
const OUTLINE = '32 162 m 42 162 42 156 36 156 c 43 156 43 150 32 150 c S'
const NEGATIVE = '/TR<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>'
const MASK = '/SMask<</S/Luminosity/G 62 0 R>>'
const STEEP = '/ColorSpace<</DefaultGray[/CalGray<</WhitePoint[.9505 1 1.089]/Gamma 50>>]>>'

const overSign = (name: string, base: string, codes: string, answer: Attack['answer']) =>
  filledOver(name, `BT /Z 24 Tf 30 150 Td ${codes} Tj ET`, answer, undefined, {
    ...fonts(`/Z<</Type/Font/Subtype/Type1/BaseFont/${base}>>`),
  })

const colours: Attack[] = [
  filledOver('a pale hint', `.8 g ${THREE.replace('3000', 'Precio')}`, UNHARMED),
  filledOver('a pale line around', `.65 G 1 w 10 130 m 100 130 90 190 40 190 c S`, UNHARMED),
  filledOver(
    'a white digit that is subtracted',
    `${PAPER} /M gs 1 g ${THREE}`,
    WRITTEN_OVER,
    undefined,
    state('/BM/Difference'),
  ),
  filledOver(
    'a white digit in a group that is subtracted',
    `${PAPER} /M gs /Fm Do`,
    WRITTEN_OVER,
    undefined,
    { ...state('/BM/Difference'), 60: inGroup(`1 g ${THREE}`) },
  ),
  filledOver(
    'a nearly white digit that is multiplied',
    `${PAPER} /M gs .96 g ${THREE.repeat(60)}`,
    WRITTEN_OVER,
    undefined,
    state('/BM/Multiply'),
  ),
  filledOver(
    'a pale outline that is multiplied',
    `${PAPER} /M gs .65 G 2 w ${`${OUTLINE} `.repeat(8)}`,
    WRITTEN_OVER,
    undefined,
    state('/BM/Multiply'),
  ),
  filledOver('a white digit that is transferred', `/M gs 1 g ${THREE}`, WRITTEN_OVER, undefined, {
    ...state(NEGATIVE),
  }),
  filledOver(
    'a nearly white digit of which the page names the colours anew',
    `.96 g ${THREE}`,
    WRITTEN_OVER,
    undefined,
    { ...withResources(STEEP), 60: form('') },
  ),
  filledOver(
    'a white outline that is subtracted',
    `${PAPER} /M gs 1 G 2 w ${OUTLINE}`,
    WRITTEN_OVER,
    undefined,
    state('/BM/Difference'),
  ),
  filledOver('a white digit on a dark area', `.4 g 0 140 200 40 re f 1 g ${THREE}`, WRITTEN_OVER),
  filledOver(
    'a white outline on a dark area',
    `.4 g 0 140 200 40 re f 1 G 2 w ${OUTLINE}`,
    WRITTEN_OVER,
  ),
  filledOver('a white digit on a picture', `${SCANNED} 1 g ${THREE}`, WRITTEN_OVER),
  filledOver('a white word beside a dark area', `.4 g 0 190 200 40 re f 1 g ${THREE}`, UNHARMED),
  filledOver('a pale hint on a pale area', `.9 g 0 140 200 40 re f 1 g ${THREE}`, UNHARMED),
  filledOver(
    'a white digit on a wide line',
    `0 G 40 w 10 157 m 200 157 l S 1 g ${THREE}`,
    WRITTEN_OVER,
  ),
  filledOver(
    'a white digit on a sign as large as a block',
    `BT /Z 200 Tf 10 130 Td (n) Tj ET 1 g ${THREE}`,
    WRITTEN_OVER,
    undefined,
    fonts(`/Z<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>`),
  ),
  filledOver(
    'a pale hint beside a dark word in a frame',
    `2 w 10 130 200 60 re S BT 0 g /F1 24 Tf -42 150 Td (Fecha) Tj .8 g ( DD) Tj ET`,
    UNHARMED,
  ),
  filledOver('a white digit with dark outlines', `2 Tr 1 g 0 G .7 w ${THREE}`, WRITTEN_OVER),
  filledOver(
    'a white digit through which an area is seen',
    `q 7 Tr 1 g ${THREE} 0 g 0 0 300 300 re f Q`,
    WRITTEN_OVER,
  ),
  filledOver(
    'a digit of instructions that choose its colour',
    `1 g BT /T3 24 Tf 30 150 Td (3) Tj ET`,
    WRITTEN_OVER,
    undefined,
    {
      ...fonts(
        '/T3<</Type/Font/Subtype/Type3/FontBBox[0 0 10 10]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 51/LastChar 51/Widths[7]/CharProcs<</three 62 0 R>>/Encoding<</Differences[51/three]>>>>',
      ),
      62: streamBody('7 0 d0 0 g 0 0 m 5 0 l 5 7 l f'),
    },
  ),
  overSign('a digit of a font of signs', 'Symbol', '(3000)', WRITTEN_OVER),
  filledOver('an area in a group through a mask', '/M gs /Fm Do', WRITTEN_OVER, undefined, {
    ...state(MASK),
    60: inGroup('0 g 0 0 300 300 re f'),
    62: form(`1 g ${THREE}`, `/Group<</S/Transparency/CS/DeviceGray>>${RESOURCES}`),
  }),
]

const shading = (type: 2 | 3, coordinates: string, entries = '', colours = '/C0[1]/C1[0]') =>
  `<</ShadingType ${type}/ColorSpace/DeviceGray/Coords[${coordinates}]${entries}/Function<</FunctionType 2/Domain[0 1]/N 1${colours}>>>>`
const shaded = (name: string, page: string, written: string, answer: Attack['answer']) =>
  filledOver(name, page, answer, undefined, {
    ...withResources(
      `/Shading<</S ${written}>>/Pattern<</P<</PatternType 2/Shading ${written}>>>>`,
    ),
    60: form(''),
  })
const ENDLESS = '/Extend[true true]'
const BLACK = '/C0[0]/C1[0]'
const RING = shading(3, '37 155 5 37 155 7', '', BLACK)

const shadings: Attack[] = [
  shaded('a half ring', 'q 37 140 20 40 re W n /S sh Q', RING, WRITTEN_OVER),
  shaded('a half ring in an area', '/Pattern cs /P scn 37 140 20 40 re f', RING, WRITTEN_OVER),
  shaded(
    'a slanted band',
    'q 30 150 12 17 re W n /S sh Q',
    shading(2, '35 158 37 157', '', BLACK),
    WRITTEN_OVER,
  ),
  shaded(
    'a slanted edge',
    'q 30 150 12 17 re W n /S sh Q',
    shading(2, '36 158 36.1 157.9', ENDLESS),
    WRITTEN_OVER,
  ),
  shaded('a shaded page', '/S sh', shading(2, '0 0 300 300', ENDLESS), UNHARMED),
  shaded(
    'a shaded area',
    '/Pattern cs /P scn 0 0 300 300 re f',
    shading(3, '150 150 0 150 150 200', ENDLESS),
    UNHARMED,
  ),
  shaded(
    'a white digit on a shading',
    `/S sh 1 g ${THREE}`,
    shading(2, '0 0 300 300', ENDLESS),
    WRITTEN_OVER,
  ),
  over('a ring of a shading, with an area', 'q 30 150 30 30 re W n /S sh Q', DOUBTFUL, {
    resources: `/Shading<</S ${shading(3, '45 160 5 45 160 7', '', BLACK)}>>`,
  }),
  over('shadings with a large profile', 'q 0 0 9 9 re W n /S sh Q '.repeat(300), valid(), {
    resources: `/Shading<</S ${shading(2, '0 0 300 300', ENDLESS, '/C0[0 0 0 0]/C1[0 0 0 1]').replace('/DeviceGray', '[/ICCBased 62 0 R]')}>>`,
    more: { 62: streamBody('x'.repeat(500_000), '/N 4') },
  }),
  shaded(
    'an edge in a wide shading',
    'q 30 150 12 17 re W n /S sh Q',
    shading(2, '20 170 60 130', `${ENDLESS}/Domain[-500 500]`),
    WRITTEN_OVER,
  ),
  shaded(
    'a circle in a wide shading',
    'q 30 150 12 17 re W n /S sh Q',
    shading(3, '36 158 0 36 158 40', `${ENDLESS}/Domain[-50 500]`),
    WRITTEN_OVER,
  ),
  shaded(
    'a slanted box of a shading',
    'q .7 .7 -.7 .7 34 152 cm /S sh Q',
    shading(2, '0 0 300 300', `${ENDLESS}/BBox[0 0 12 3]`, BLACK),
    WRITTEN_OVER,
  ),
  shaded('a ring elsewhere', 'q 137 40 20 40 re W n /S sh Q', RING, UNHARMED),
]

export const RECOLOURED_LETTERS: readonly Family[] = [
  { name: 'fields over digits of odd colours', attacks: colours },
  { name: 'fields over shadings', attacks: shadings },
]

/** No part of all families: MuPDF takes the sign and the digit for one word. */
export const SIGNS: Family = {
  name: 'fields over signs',
  attacks: [
    overSign('a box of a font of signs', 'Wingdings', '(o)', UNHARMED),
    overSign('a tick of a font of signs', 'ZapfDingbats', '(4)', UNHARMED),
  ],
}
