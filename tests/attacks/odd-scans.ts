import { deflateSync } from 'node:zlib'
import { type Bodies, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import type { Attack, Family } from './attack.ts'
import { deedBodies } from './deed.ts'
import {
  digit,
  filledOver,
  HEAD,
  JPEGS,
  jpeg,
  line,
  SCANNED,
  SIDE,
  THREE,
  UNHARMED,
  WRITTEN_OVER,
} from './scanned-letters.ts'
import { afterSignature } from './settings.ts'

/* Filled fields over digits that a page shows without letters, and by samples that look alike one by one. */

export const RESOURCES = '/Resources<</Font<</F1 3 0 R>>>>'
/** Page 1 with more resources. */
export const withResources = (resources: string): Bodies => ({
  10: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R/F2 39 0 R>>/XObject<</Im 18 0 R/Fm 60 0 R>>${resources}>>/Annots[5 0 R 6 0 R 14 0 R 17 0 R 35 0 R 36 0 R 19 0 R]/Contents 11 0 R>>`,
})
export const form = (content: string, entries = '') =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 300 300]${entries}`)

type Colour = readonly number[]
/** What is black in the samples in one colour, and the others in another one. */
const coloured = (samples: Uint8Array, ink: Colour, ground: Colour, entries: string) => {
  const bytes = Uint8Array.from([...samples].flatMap((sample) => (sample === 0 ? ink : ground)))
  return streamBody(
    textOf(deflateSync(bytes)),
    `${HEAD}/BitsPerComponent 8/Filter/FlateDecode${entries}`,
  )
}
const GRAY = '/ColorSpace/DeviceGray'
const faint = coloured(digit, [245], [255], GRAY)
const black = coloured(digit, [0], [255], GRAY)

const samples: Attack[] = (
  [
    ['as bright as its ground', [255, 0, 0], [0, 130, 0], '/ColorSpace/DeviceRGB'],
    [
      'of which one colour is inverted',
      [200, 0, 0],
      [0, 102, 0],
      '/ColorSpace/DeviceRGB/Decode[0 1 1 0 0 1]',
    ],
    ['whose ground is behind its table', [0], [2], '/ColorSpace[/Indexed/DeviceGray 1<00ff>]'],
    [
      'whose ground is behind the last number of its table',
      [0],
      [2],
      '/ColorSpace[/Indexed/DeviceGray 1<00ff00>]',
    ],
    [
      'by a table from its end',
      [1],
      [0],
      `/ColorSpace[/Indexed/DeviceGray 255<ffff${'ff'.repeat(252)}00ff>]/Decode[255 0]`,
    ],
    ['whose ground is left out', [0], [1], `${GRAY}/Mask[1 1]`],
    [
      'in a colour with a steep scale',
      [255],
      [245],
      '/ColorSpace[/Separation/Spot/DeviceGray<</FunctionType 2/Domain[0 1]/N 60/C0[1]/C1[0]>>]',
    ],
    ['that a short name decodes', [245], [255], `${GRAY}/D[-24.5 1]`],
  ] as const
).map(([name, ink, ground, entries]) =>
  filledOver(`a digit ${name}`, SCANNED, WRITTEN_OVER, coloured(digit, ink, ground, entries)),
)

const profile = (gamma: number): string => {
  const tags = ['kTRC'].map((name) => `${name}\x00\x00\x00\x90\x00\x00\x00\x0e`).join('')
  const head = `${'\0'.repeat(16)}GRAYXYZ ${'\0'.repeat(12)}acsp${'\0'.repeat(88)}`
  const curve = `curv\0\0\0\0\0\0\0\x01${String.fromCharCode(gamma, 0)}\0\0`
  return `${head}\0\0\0\x01${tags}${curve}`
}
const profiled = (gamma: number): Bodies => ({ 21: streamBody(profile(gamma), '/N 1') })
const BY_PROFILE = '/ColorSpace[/ICCBased 21 0 R]'

const profiles: Attack[] = [
  filledOver(
    'a digit that a profile makes black',
    SCANNED,
    WRITTEN_OVER,
    coloured(digit, [245], [255], BY_PROFILE),
    profiled(60),
  ),
  filledOver(
    'a digit with a usual profile',
    SCANNED,
    WRITTEN_OVER,
    coloured(digit, [0], [255], BY_PROFILE),
    profiled(2),
  ),
  filledOver(
    'a line to write on with a usual profile',
    SCANNED,
    UNHARMED,
    coloured(line, [0], [255], BY_PROFILE),
    profiled(2),
  ),
]

/** Every other sample of every other row is white: those that a coarse look at it sees. */
const FINE = 1800
const withHoles = Uint8Array.from({ length: FINE * FINE }, (_, at) => {
  const [x, y] = [at % FINE, Math.floor(at / FINE)]
  const isHole = x % 2 === 0 && y % 2 === 1
  return isHole ? 255 : digit[Math.floor(y / 3) * SIDE + Math.floor(x / 3)]!
})
/** Ten times as many samples across as up. */
const [ACROSS, UP] = [3000, 150]
const wide = Uint8Array.from(
  { length: ACROSS * UP },
  (_, at) => digit[Math.floor(at / ACROSS) * 4 * SIDE + Math.floor((at % ACROSS) / 5)]!,
)
const sized = (bytes: Uint8Array, [width, height]: readonly [number, number]) =>
  streamBody(
    textOf(deflateSync(bytes)),
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode${GRAY}`,
  )
const STROKES = [
  [31, 165, 11, 2],
  [31, 157.5, 11, 2],
  [31, 150, 11, 2],
  [40, 150, 2, 17],
] as const

const grids: Attack[] = [
  filledOver('a digit with holes', SCANNED, WRITTEN_OVER, sized(withHoles, [FINE, FINE])),
  filledOver('a digit of narrow samples', SCANNED, WRITTEN_OVER, sized(wide, [ACROSS, UP])),
  filledOver(
    'a digit of which the data ends too early',
    SCANNED,
    WRITTEN_OVER,
    sized(digit.subarray(0, SIDE * 150), [SIDE, SIDE]),
  ),
  filledOver(
    'a digit of one picture for each stroke',
    STROKES.map(([x, y, w, h]) => `q ${w} 0 0 ${h} ${x} ${y} cm /Im Do Q`).join(' '),
    WRITTEN_OVER,
    sized(Uint8Array.of(0), [1, 1]),
  ),
]

/** 300 by 300 samples, as `convert -strip` writes them: red on a green that is as bright, and black ink. */
const RED =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAEsASwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFwEBAQEBAAAAAAAAAAAAAAAAAAUEAf/EAB8RAQEAAgEEAwAAAAAAAAAAAAABAgMREiExUQRB0f/aAAwDAQACEQMRAD8AigJaMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADuPewAFHfomOi59HTeZPPPmX8gAJoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE7UAGnP5Ey13XjhMZbL25+ufdvugAzAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/2Q=='
const INK =
  '/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAUDg8SDw0UEhASFxUUGB4yIR4cHB49LC4kMklATEtHQEZFUFpzYlBVbVZFRmSIZW13e4GCgU5gjZeMfZZzfoF8/9sAQwEVFxceGh47ISE7fFNGU3x8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8/8AAFAgBLAEsBAEiAAIRAQMRAQQiAP/EABgAAQEBAQEAAAAAAAAAAAAAAAAFAgYD/8QALRABAAIBAwIDBQkAAAAAAAAAAAECAwQREgUTBiFBFjFllOEVNlVhcYKkstH/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAA4EAQACEQMRBAAAPwDjAAdmAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAxmydnDky8L34Vm3Gkb2ttHuiPWW2M2Ts4cmXhe/Cs240je1to90R6yAAke0Pwfq3y31UOm67F1LQ49XgreuPJvtF4iJ8pmPT9E/wBofg/VvlvqeEPu3pP3/wB7AALQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMZrXphyWxY+7krWZrTltynbyjf03bAAEX7S61+AfzKf49/Dmkz6Homm0+pp28tOXKu8TtvaZjzj8pUwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAf/2Q=='
const ofJpeg = (
  coded: string,
  entries: string,
  bytes = new Uint8Array(Buffer.from(coded, 'base64')),
) =>
  streamBody(
    textOf(bytes),
    `/Type/XObject/Subtype/Image/BitsPerComponent 8/Filter/DCTDecode${entries}`,
  )
const OF_300 = '/Width 300/Height 300'
/** What stands before the end of the picture. */
const withLast = (coded: string, segment: readonly number[]) => {
  const bytes = Buffer.from(coded, 'base64')
  return new Uint8Array([...bytes.subarray(0, -2), ...segment, 0xff, 0xd9])
}
const NO_COEFFICIENTS = [0xff, 0xdb, 0, 67, 0, ...Array<number>(64).fill(0)]

const jpegs: Attack[] = [
  filledOver(
    'a digit as bright as its ground (JPEG)',
    SCANNED,
    WRITTEN_OVER,
    ofJpeg(RED, `${OF_300}/ColorSpace/DeviceRGB`),
  ),
  filledOver(
    'a digit in ink (JPEG)',
    SCANNED,
    WRITTEN_OVER,
    ofJpeg(INK, `${OF_300}/ColorSpace/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]`),
  ),
  filledOver(
    'a digit behind which a table wipes it out (JPEG)',
    SCANNED,
    WRITTEN_OVER,
    ofJpeg('', `${OF_300}${GRAY}`, withLast(JPEGS.digit, NO_COEFFICIENTS)),
  ),
  filledOver(
    'a JPEG that is larger than the document says',
    SCANNED,
    WRITTEN_OVER,
    ofJpeg(JPEGS.line, `/Width 150/Height 600${GRAY}`),
  ),
  filledOver(
    'a digit of which the data ends too early (JPEG)',
    SCANNED,
    WRITTEN_OVER,
    ofJpeg(
      '',
      `${OF_300}${GRAY}`,
      new Uint8Array(Buffer.from(JPEGS.digit, 'base64').subarray(0, 400)),
    ),
  ),
  filledOver('a digit in a usual JPEG', SCANNED, WRITTEN_OVER, jpeg(JPEGS.digit)),
]

const deepForms: Bodies = Object.fromEntries(
  Array.from({ length: 9 }, (_, at) => [
    60 + at,
    at === 8
      ? form(THREE, RESOURCES)
      : form('/Fm Do', `/Resources<</XObject<</Fm ${61 + at} 0 R>>>>`),
  ]),
)
const states: Attack[] = [
  filledOver('a tile', '/Pattern cs /P scn 0 0 300 300 re f', WRITTEN_OVER, undefined, {
    ...withResources('/Pattern<</P 60 0 R>>'),
    60: streamBody(
      THREE,
      `/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 300]/XStep 300/YStep 300${RESOURCES}`,
    ),
  }),
  filledOver(
    'a tile elsewhere',
    '/Pattern cs /P scn 0 0 300 90 re f 1 g 0 200 99 99 re f',
    UNHARMED,
    undefined,
    {
      ...withResources('/Pattern<</P 60 0 R>>'),
      60: streamBody(
        '0 0 1 1 re f',
        '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 2 2]/XStep 2/YStep 2',
      ),
    },
  ),
  filledOver('a shading by a function', '/S sh', WRITTEN_OVER, undefined, {
    ...withResources('/Shading<</S 60 0 R>>'),
    60: '<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 300 0 300]/Function 61 0 R>>',
    61: streamBody(
      '{ 160 lt exch dup 30 gt exch 34 lt and and {0} {1} ifelse }',
      '/FunctionType 4/Domain[0 300 0 300]/Range[0 1]',
    ),
  }),
  filledOver('an area through a mask', '/M gs 0 g 0 0 300 300 re f', WRITTEN_OVER, undefined, {
    ...withResources('/ExtGState<</M<</SMask<</S/Luminosity/G 60 0 R>>>>>>'),
    60: form(`1 g ${THREE}`, `/Group<</S/Transparency/CS/DeviceGray>>${RESOURCES}`),
  }),
  filledOver('a digit deep inside of forms', '/Fm Do', WRITTEN_OVER, undefined, {
    ...withResources(''),
    ...deepForms,
  }),
  filledOver('a form that draws what its page names', '/Fm Do', WRITTEN_OVER, black, {
    ...withResources(''),
    60: form(SCANNED),
  }),
  filledOver('a faint digit that is transferred', `/M gs ${SCANNED}`, WRITTEN_OVER, faint, {
    ...withResources('/ExtGState<</M<</TR<</FunctionType 2/Domain[0 1]/N 60/C0[0]/C1[1]>>>>>>'),
    60: form(''),
  }),
  filledOver(
    'a dark digit that is burnt in',
    `0.5 g 0 0 300 300 re f /M gs ${SCANNED}`,
    WRITTEN_OVER,
    coloured(digit, [3], [30], GRAY),
    { ...withResources('/ExtGState<</M<</BM/ColorBurn>>>>'), 60: form('') },
  ),
  filledOver(
    'a faint digit that is drawn sixty times',
    `/M gs q 300 0 0 300 0 0 cm ${'/Im Do '.repeat(60)}Q`,
    WRITTEN_OVER,
    faint,
    { ...withResources('/ExtGState<</M<</BM/Multiply>>>>'), 60: form('') },
  ),
  filledOver(
    'a digit of which the page names the colours anew',
    SCANNED,
    WRITTEN_OVER,
    coloured(digit, [0], [2], GRAY),
    {
      ...withResources('/ColorSpace<</DeviceGray[/Indexed/DeviceGray 255<00ffff>]>>'),
      60: form(''),
    },
  ),
  filledOver('a faint digit in the usual state', SCANNED, UNHARMED, faint),
]

/** Below the digit, and over it where readers turn the field back. */
const upright = (text: string): Bodies => ({
  5: `<</FT/Tx/T(Precio)/V(${text})/Type/Annot/Subtype/Widget/Rect[30 115 60 145]/F 20/P 10 0 R/AP<</N 7 0 R>>>>`,
  7: streamBody(
    `BT /F1 24 Tf 5 5 Td (${text}) Tj ET`,
    `/Type/XObject/Subtype/Form/BBox[0 0 30 30]${RESOURCES}`,
  ),
})
const turned = afterSignature(
  'a field that stays upright on a turned page',
  () => upright('8'),
  WRITTEN_OVER,
  {
    changes: (): Bodies => ({
      ...upright(''),
      10: deedBodies()[10]!.replace('/MediaBox', '/Rotate 90/MediaBox'),
      11: streamBody(SCANNED),
      18: black,
    }),
  },
)

/** Empty fields over page 1, two beside each other, are filled. */
const manyFilled = (
  name: string,
  count: number,
  page: string,
  answer: Attack['answer'],
  scans: Bodies,
) => {
  const numbers = Array.from({ length: count }, (_, at) => at)
  const references = numbers.map((at) => `${100 + at} 0 R`).join(' ')
  const widget = (at: number) => {
    const [left, bottom] = [5 + 150 * (at % 2), 280 - 12 * Math.floor(at / 2)]
    return `/Type/Annot/Subtype/Widget/Rect[${left} ${bottom} ${left + 140} ${bottom + 11}]`
  }
  const filled = (text: string): Bodies =>
    Object.fromEntries(
      numbers.flatMap((at) => [
        [
          100 + at,
          `<</FT/Tx/T(F${at})/V(${text})${widget(at)}/F 4/P 10 0 R/AP<</N ${200 + at} 0 R>>>>`,
        ],
        [
          200 + at,
          streamBody(
            `BT /F1 9 Tf 2 2 Td (${text}) Tj ET`,
            `/Type/XObject/Subtype/Form/BBox[0 0 140 11]${RESOURCES}`,
          ),
        ],
      ]),
    )
  const deed = deedBodies()
  return afterSignature(name, () => filled('Guadalupe Hidalgo'), answer, {
    changes: (): Bodies => ({
      ...filled(''),
      ...scans,
      8: deed[8]!.replace('/Fields[', `/Fields[${references} `),
      10: deed[10]!
        .replace('/Annots[', `/Annots[${references} `)
        .replace('18 0 R', '18 0 R/Jm 60 0 R'),
      11: streamBody(page),
    }),
  })
}
/** White, with one bit for each sample. */
const blank = (side: number) =>
  streamBody(
    textOf(deflateSync(new Uint8Array(Math.ceil(side / 8) * side).fill(255))),
    `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/BitsPerComponent 1/Filter/FlateDecode${GRAY}`,
  )

const many: Attack[] = [
  manyFilled('thirty fields over a fine scan', 34, SCANNED, UNHARMED, { 18: blank(1750) }),
  manyFilled(
    'two fields over more samples than are read',
    2,
    `${SCANNED} q 300 0 0 300 0 0 cm /Jm Do Q`,
    WRITTEN_OVER,
    { 18: blank(5900), 60: blank(5901) },
  ),
]

/** A page in pictures of one row each. */
const inRows = (): { content: string; bodies: Bodies } => {
  const rows = Array.from({ length: 40 }, (_, at) => 260 + at)
  const size = `/Type/XObject/Subtype/Image/Width ${SIDE}/Height 1/BitsPerComponent 8${GRAY}`
  const names = rows.map((row) => `/R${row} ${row} 0 R`).join('')
  return {
    content: rows.map((row) => `q 300 0 0 .5 0 ${299.5 - row / 2} cm /R${row} Do Q`).join(' '),
    bodies: {
      ...Object.fromEntries(
        rows.map((row) => [
          row,
          streamBody(textOf(digit.subarray(row * SIDE, (row + 1) * SIDE)), size),
        ]),
      ),
      10: deedBodies()[10]!.replace('/XObject<<', `/XObject<<${names}`),
    },
  }
}
export const ROWS = inRows()

/** A field with a letter of 60 points, whose foot is at 169. */
const largeOver = (name: string, value: string, scan: Uint8Array, answer: Attack['answer']) => {
  const field = (written: string) =>
    `<</FT/Tx/T(Precio)/V(${written})/Type/Annot/Subtype/Widget/Rect[22 145 90 205]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  const shown = (text: string) =>
    streamBody(
      `BT /F1 60 Tf 1 24 Td (${text}) Tj ET`,
      `/Type/XObject/Subtype/Form/BBox[0 0 68 60]${RESOURCES}`,
    )
  return afterSignature(
    `a large letter over ${name}`,
    () => ({ 5: field(value), 7: shown(value) }),
    answer,
    {
      changes: (): Bodies => ({
        ...{ 5: field(''), 7: shown(''), 11: streamBody(SCANNED) },
        18: coloured(scan, [0], [255], GRAY),
      }),
    },
  )
}
/** Black and white samples, where some rectangles are of the other colour, in their order. */
const drawn = (...rectangles: readonly (readonly [number, number, number, number])[]) =>
  Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
    const count = rectangles.filter(
      ([left, top, right, bottom]) => x >= left && x < right && y >= top && y < bottom,
    ).length
    return count % 2 === 0 ? 255 : 0
  })
/** From 170 to 176 of the page: a thick bar with a white 1, and lines as forms have them. */
const IN_BAR = drawn([0, 248, 400, 260], [70, 250, 74, 258])
const LINE = drawn([0, 248, 400, 251], [100, 150, 103, 350], [100, 248, 103, 251])

const parts: Attack[] = [
  filledOver('a digit in many pictures', ROWS.content, WRITTEN_OVER, undefined, ROWS.bodies),
  filledOver(
    'a faint digit in a group that is burnt in',
    `.95 g 0 0 300 300 re f /M gs /Fm Do`,
    WRITTEN_OVER,
    coloured(digit, [225], [255], GRAY),
    {
      ...withResources('/ExtGState<</M<</BM/ColorBurn>>>>'),
      60: form(
        `/N gs ${SCANNED}`,
        '/Group<</S/Transparency>>/Resources<</XObject<</Im 18 0 R>>/ExtGState<</N<</BM/Normal>>>>>>',
      ),
    },
  ),
  filledOver(
    'a digit in a form of which the page names the colours anew',
    '/Fm Do',
    WRITTEN_OVER,
    faint,
    {
      ...withResources(
        '/ColorSpace<</DefaultGray[/CalGray<</WhitePoint[.9505 1 1.089]/Gamma 50>>]>>',
      ),
      60: form(SCANNED, '/Resources<</XObject<</Im 18 0 R>>>>'),
    },
  ),
  largeOver('a white digit in a bar', '8', IN_BAR, WRITTEN_OVER),
  largeOver('lines that cross', '8', LINE, UNHARMED),
  largeOver('a digit below its foot', '|', drawn([60, 268, 64, 286]), WRITTEN_OVER),
  largeOver('a digit below the foot of another one', '8', drawn([60, 268, 64, 286]), UNHARMED),
]

export const ODD_SCANS: readonly Family[] = [
  { name: 'many fields over scans', attacks: many },
  {
    name: 'fields over samples that look alike',
    attacks: [...samples, ...profiles, ...grids, turned],
  },
  { name: 'fields over parts of scans', attacks: parts },
  { name: 'fields over odd JPEG pictures', attacks: jpegs },
  { name: 'fields over digits of odd instructions', attacks: states },
]
