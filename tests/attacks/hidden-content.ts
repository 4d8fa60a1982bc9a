import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'
import { type Attack, type Family, INVALID, NOT_GOOD, valid } from './attack.ts'
import { edited, FREE, revised } from './deed.ts'
import { deedOf, SETTINGS } from './settings.ts'
import { certifying, signDeed } from './sign-deed.ts'

/* Signed content that a careless reading of the page does not find below the look of a later signature. */

const AREA = '1 g 0 0 180 50 re f'
const OVER = '[20 140 200 190]'
export const DOUBTFUL: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  modification: ['FORM_FILLING'],
  says: 'signature-may-cover-content',
}
/** Below letters and lines: a picture shows it. */
export const SHOWN = valid('FORM_FILLING')

type Options = {
  rectangle?: string
  look?: string
  /** More objects of the signed document. */
  more?: Bodies
  /** More resources of the page. */
  resources?: string
  forms?: string
  /** More entries of the first signature. */
  entries?: string
  /** More entries of the look and of its resources, and more objects that come with it. */
  lookEntries?: string
  lookResources?: string
  lookMore?: Bodies
}

/** A later signature whose look is over what page 1 draws. */
export const over = (
  name: string,
  page: string,
  answer: Attack['answer'],
  {
    rectangle = OVER,
    look = AREA,
    more = {},
    resources = '',
    forms = '',
    entries = '',
    lookEntries = '',
    lookResources = '',
    lookMore = {},
  }: Options = {},
): Attack => ({
  name: `a later signature over ${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, {
      entries,
      changes: (plain) => ({
        ...edited(plain, 10, '/XObject<<', `${resources}/XObject<<${forms}`),
        11: streamBody(page),
        ...more,
      }),
    })
    const [left = 0, bottom = 0, right = 0, top = 0] = rectangle.slice(1, -1).split(' ').map(Number)
    const box = `/Type/XObject/Subtype/Form/BBox[0 0 ${right - left} ${top - bottom}]`
    const withLook = revised(deed, {
      [FREE]: streamBody(
        look,
        `${box}${lookEntries}/Resources<</Font<</F1 3 0 R/F2 39 0 R>>${lookResources}>>`,
      ),
      ...lookMore,
    })
    const field = `/AP<</N ${FREE} 0 R>>`
    return (await signDeed(withLook, { number: 70, rectangle, field })).file
  },
  answer,
})

/** Upwards to the right, from 40 145. */
const stamp = (text: string, colour = '0.7 g') =>
  `BT ${colour} /F1 24 Tf 0.7 0.7 -0.7 0.7 40 145 Tm (${text}) Tj ET`
const ALL = { rectangle: '[5 120 205 300]', look: '1 g 0 0 200 180 re f' }
const SEAL = '0.1 g 10 10 m 10 40 40 40 40 10 c f'

const stamps: Attack[] = [
  over('all of a pale stamp', stamp('COPIA'), INVALID, ALL),
  over('a part of a pale stamp', stamp('CANCELADO'), DOUBTFUL),
  over('a part of a pale stamp, with a seal', stamp('CANCELADO'), DOUBTFUL, { look: SEAL }),
  over('a part of a pale stamp, with notes allowed', stamp('CANCELADO'), DOUBTFUL, {
    entries: certifying(3),
  }),
  over(
    'the letters of a pale stamp, one by one',
    [...'COPIA']
      .map(
        (letter, at) =>
          `BT 0.7 g /F1 24 Tf 0.7 0.7 -0.7 0.7 ${40 + 14 * at} ${145 + 6 * at} Tm (${letter}) Tj ET`,
      )
      .join(' '),
    INVALID,
  ),
  over('lines of a pale stamp', '0.7 G 1 w 30 130 m 190 250 l S', DOUBTFUL),
  over('all of the lines of a pale stamp', '0.7 G 1 w 30 142 m 60 188 l 90 142 l S', INVALID),
  over('a dark stamp', stamp('CANCELADO', '0.2 g'), INVALID),
  over('a pale stamp, in letters', stamp('CANCELADO'), SHOWN, {
    look: 'BT /F1 9 Tf 5 30 Td (Firmado por Ana) Tj ET',
  }),
  over('the corner beside a pale stamp', stamp('CANCELADO'), valid('FORM_FILLING'), {
    rectangle: '[150 140 200 190]',
    look: '1 g 0 0 50 50 re f',
  }),
]

export const PRICE = 'BT /F1 24 Tf 30 150 Td (PRECIO 100000 PESOS) Tj ET'
const words = (font: string, codes: string) => `BT /${font} 24 Tf 30 150 Td ${codes} Tj ET`
const END = { rectangle: '[180 140 290 190]', look: '1 g 0 0 110 50 re f' }
const font = (entries: string) => ({ resources: '', more: { 39: `<</Type/Font${entries}>>` } })
const composite = (widths: string) =>
  font(
    `/Subtype/Type0/BaseFont/Deed/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Deed/FontDescriptor 30 0 R${widths}>>]`,
  )

const DENSE = `BT /F1 30 Tf ${'1 2 Td (MMMMMM) Tj '.repeat(17)}ET`
const NAMES = 'BT /F1 9 Tf 2 30 Td (Firmado por Ana) Tj 0 -10 Td (Notaria 12) Tj ET'
const behindImage = (data: string) =>
  `BI /W ${data.length} /H 1 /BPC 8 /CS /G ID ${data} EI BT /F1 24 Tf 30 150 Td (1000) Tj ET`
/** Where the data of the image ends is not the same for all readers. */
const UNREAD = behindImage('x EI %')
const letters: Attack[] = [
  over('the end of a text', PRICE, INVALID, END),
  over('what is after a text', words('F1', '(PRECIO)'), valid('FORM_FILLING'), END),
  over('the end of a text in wide letters', words('F2', '<0001000100010001>'), INVALID, {
    ...composite('/DW 1000/W[1 [2000]]'),
    ...END,
  }),
  over('letters whose list of widths never ends', words('F2', '<0001000100010001>'), INVALID, {
    ...composite('/W[9007199254740992 9007199254740992 500]'),
    rectangle: '[32 140 200 190]',
  }),
  over('what is after a text in narrow letters', words('F2', '<0001000100010001>'), valid(), {
    ...composite('/W[0 9 300]'),
    ...END,
  }),
  over(
    'letters that are called narrow',
    '0 0 0 0 k BT /F1 0 Tf ET BT /F2 24 Tf 30 150 Td (9) Tj ET',
    INVALID,
    {
      ...font('/Subtype/TrueType/BaseFont/Deed/FontDescriptor 30 0 R/FirstChar 57/Widths[0]'),
      rectangle: '[32 140 200 190]',
    },
  ),
  over('the end of a text, with many dark letters', PRICE, INVALID, { ...END, look: DENSE }),
  over('a text, with many dark curves', PRICE, INVALID, {
    look: `1 w ${Array.from({ length: 60 }, (_, at) => `0 ${at - 5} m 60 ${at} 120 ${at - 5} 180 ${at} c S`).join(' ')}`,
  }),
  over('a picture, with a sign in ink', 'q 300 0 0 300 0 0 cm /Im Do Q', SHOWN, {
    look: `1 w 20 10 m 60 40 90 0 150 30 c S ${NAMES}`,
    more: { 18: printedScan() },
  }),
  over('a picture, with many dark letters', 'q 300 0 0 300 0 0 cm /Im Do Q', DOUBTFUL, {
    look: DENSE,
    more: { 18: printedScan() },
  }),
  over('a page that is not read whole, with many dark letters', UNREAD, DOUBTFUL, { look: DENSE }),
  over('letters behind an inline image, with many dark letters', behindImage('x'), INVALID, {
    look: DENSE,
  }),
  over('a page that is not read whole, with words', UNREAD, SHOWN, { look: NAMES }),
  over('the end of a text, with words', PRICE, SHOWN, {
    ...END,
    look: NAMES,
  }),
  over('letters that are drawn', words('F2', '(0)'), NOT_GOOD, {
    ...font(
      '/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 48/LastChar 48/Widths[1]/CharProcs<</zero 50 0 R>>/Encoding<</Differences[48/zero]>>',
    ),
    rectangle: '[60 140 200 190]',
  }),
  over(
    'letters that are written downwards',
    'BT /F2 24 Tf 100 280 Td <000100010001> Tj ET',
    NOT_GOOD,
    {
      ...font(
        '/Subtype/Type0/BaseFont/Deed/Encoding/Identity-V/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Deed/FontDescriptor 30 0 R>>]',
      ),
    },
  ),
  over('letters of a font that the page does not have', words('F7', '(1)'), NOT_GOOD, {
    rectangle: '[32 140 200 190]',
  }),
]

const FAR = '0 0 1 1 re 299 299 1 1 re'
const MANY = 9000
const SHADING =
  '<</ShadingType TYPE/ColorSpace/DeviceGray/Domain[0 1]/Coords[0 0 299 299]/Function<</FunctionType 2/Domain[0 1]/N 1>>>>'
/** A pattern that writes. */
const TILES = streamBody(
  'BT /F1 24 Tf 30 150 Td (1000) Tj ET',
  '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 299 299]/XStep 299/YStep 299/Resources<</Font<</F1 3 0 R>>>>',
)
/** A note of the signed page, with a look. */
const note = (content: string): Bodies => ({
  19: '<</Type/Annot/Subtype/Stamp/Rect[0 0 299 299]/AP<</N 50 0 R>>>>',
  50: streamBody(content, '/Type/XObject/Subtype/Form/BBox[0 0 299 299]'),
})
const turnedOver = (bodies: Bodies): Bodies => ({
  ...bodies,
  50: bodies[50]!.replace('/BBox', '/Matrix[-1 0 0 -1 0 0]/BBox'),
})
const UNREADABLE = { ...INVALID, says: 'later-revisions-unreadable' } as const
const outlines: Attack[] = [
  over('letters drawn as one area', `30 150 5 20 re 50 150 5 20 re ${FAR} f`, INVALID),
  over('letters drawn as curves of one area', `30 150 m 40 150 50 160 60 170 c ${FAR} f`, INVALID),
  over('an open area', '0 0 m 0 299 l 299 299 l f', INVALID),
  over(
    'bars',
    Array.from({ length: 9 }, (_, at) => `${40 + 3 * at} 150 0.4 9 re f`).join(' '),
    INVALID,
  ),
  over('letters of a pattern', '/Pattern cs /P1 scn 0 0 299 299 re f', DOUBTFUL, {
    resources: '/Pattern<</P1 50 0 R>>',
    more: { 50: TILES },
  }),
  // PDFium and Ghostscript take the last of two names, MuPDF the first one.
  over(
    'letters of a pattern behind a shading',
    '/Pattern cs /P2 /P1 scn 0 0 299 299 re f',
    DOUBTFUL,
    {
      resources: '/Pattern<</P1 50 0 R/P2<</PatternType 2/Shading 51 0 R>>>>',
      more: { 50: TILES, 51: SHADING.replace('TYPE', '2') },
    },
  ),
  over('a shading of a function', '/S1 sh', DOUBTFUL, {
    resources: '/Shading<</S1 50 0 R>>',
    more: { 50: SHADING.replace('TYPE', '1') },
  }),
  over('letters of a mask', '/M gs 0 g 0 0 299 299 re f', DOUBTFUL, {
    resources: '/ExtGState<</M<</SMask<</S/Luminosity/G 50 0 R>>>>>>',
    more: {
      50: streamBody('1 g 30 150 5 20 re f', '/Type/XObject/Subtype/Form/BBox[0 0 299 299]'),
    },
  }),
  over('letters that clip', 'BT /F1 24 Tf 7 Tr 30 150 Td (1000) Tj ET 0 0 299 299 re f', INVALID),
  over(
    'an area that a clip cuts',
    `30 150 m 40 170 l 50 150 l ${FAR} W n 0 0 299 299 re f`,
    INVALID,
  ),
  over(
    'white letters on a ground of any colour',
    `/Cs cs 1 scn 0 0 299 299 re f 1 g 30 150 5 20 re f`,
    DOUBTFUL,
    {
      resources: '/ColorSpace<</Cs[/Separation/Black/DeviceGray 50 0 R]>>',
      more: { 50: '<</FunctionType 2/Domain[0 1]/N 1>>' },
    },
  ),
  over('a form in many forms', '/Fm Do', NOT_GOOD, {
    forms: '/Fm 80 0 R',
    more: {
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, at) => [
          80 + at,
          streamBody(
            at < 8 ? '/Fm Do' : 'BT /F1 24 Tf 30 150 Td (1000) Tj ET',
            `/Type/XObject/Subtype/Form/BBox[0 0 299 299]/Resources<</Font<</F1 3 0 R>>/XObject<</Fm ${81 + at} 0 R>>>>`,
          ),
        ]),
      ),
    },
  }),
  over('letters drawn by a note', '', INVALID, { more: note('30 150 5 20 re f') }),
  over('letters drawn by a note that is turned over', '', NOT_GOOD, {
    more: turnedOver(note('230 120 5 20 re f')),
  }),
  over('letters of a pattern of a note', '', DOUBTFUL, {
    more: {
      ...note('/Pattern cs /P1 scn 0 0 299 299 re f'),
      50: streamBody(
        '/Pattern cs /P1 scn 0 0 299 299 re f',
        '/Type/XObject/Subtype/Form/BBox[0 0 299 299]/Resources<</Pattern<</P1 51 0 R>>>>',
      ),
      51: TILES,
    },
  }),
  over('a note that readers draw, piece by piece', '', INVALID, {
    look: `1 g ${Array.from({ length: 12 }, (_, at) => `${10 + 6 * at} 10 5 20 re f`).join(' ')}`,
    more: {
      19: '<</Type/Annot/Subtype/FreeText/Rect[30 150 90 170]/DA(/F1 9 Tf)/Contents(1000)>>',
    },
  }),
  over('a note that readers draw', '', INVALID, {
    more: {
      19: '<</Type/Annot/Subtype/FreeText/Rect[30 150 90 170]/DA(/F1 9 Tf)/Contents(1000)>>',
    },
  }),
  over('digits of long lines', '1 w 30 145 m 30 185 l 50 185 l 50 145 l S', DOUBTFUL),
  over(
    'white letters on a dark ground',
    `0 g ${FAR} 0 0 299 299 re f 1 g 30 150 5 20 re f`,
    DOUBTFUL,
  ),
  over('thousands of areas, with as many', '35 250 4 9 re f '.repeat(MANY), UNREADABLE, {
    look: `1 g ${'15 10 4 9 re f '.repeat(MANY)}`,
  }),
  over('a ground', '0.9 g 0 0 299 299 re f', valid('FORM_FILLING')),
  over('a white area', '1 g 30 150 9 9 re f', valid('FORM_FILLING')),
]

/* What a signature may cover, though readers show the difference: signing on a line is what the line is for. */
const lines: Attack[] = [
  over('a line to sign on', '1 w 30 150 m 190 150 l S', valid('FORM_FILLING')),
  over('lines of a table', '1 w 0 150 m 299 150 l S 100 0 m 100 299 l S', valid('FORM_FILLING')),
  over('a smooth shading', '/Pattern cs /P1 scn 0 0 299 299 re f /S1 sh', valid('FORM_FILLING'), {
    resources: '/Pattern<</P1<</PatternType 2/Shading 50 0 R>>>>/Shading<</S1 50 0 R>>',
    more: { 50: SHADING.replace('TYPE', '2') },
  }),
]

/** No part of all families: the oracle compares what is printed, whatever it is. */
export const COVERED_LINES: Family = { name: 'lines below later signatures', attacks: lines }

export const HIDDEN_CONTENT: readonly Family[] = [
  { name: 'stamps below later signatures', attacks: stamps },
  { name: 'letters below later signatures', attacks: letters },
  { name: 'outlines below later signatures', attacks: outlines },
]
