import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'
import { type Answer, type Attack, type Family, INVALID, valid } from './attack.ts'
import { edited, FREE } from './deed.ts'
import { afterSignature } from './settings.ts'
import { certifying, type Signing } from './sign-deed.ts'

/*
 * Marks of a text without a look, so that readers draw them, on a document that is certified for notes. MuPDF and
 * Ghostscript draw a line a sixteenth as wide as the first and the third point are apart.
 */

type Quad = readonly [number, number, number, number, number, number, number, number]
/** The corners in the order in which programs write them, and in that of ISO 32000-2:2020, table 182. */
const along = (x: number, y: number, width: number, height: number): Quad => [
  ...([x, y + height, x + width, y + height] as const),
  ...([x, y, x + width, y] as const),
]
const around = (x: number, y: number, width: number, height: number): Quad => [
  ...([x, y, x + width, y] as const),
  ...([x + width, y + height, x, y + height] as const),
]

type Mark = readonly [kind: string, quads: readonly Quad[], entries?: string]

/** A look that hides nothing. */
const LINE = FREE + 141
const lineLook = streamBody(
  '1 w 0 1 m 9 1 l S',
  '/Type/XObject/Subtype/Form/BBox[0 0 150 28]/Resources<<>>',
)
/** One that hides all. */
const AREA = FREE + 140
const areaLook = streamBody('1 g 0 0 238 230 re f', '/Type/XObject/Subtype/Form/BBox[0 0 238 230]')

const annotated = (
  name: string,
  annotations: readonly string[],
  answer: Attack['answer'],
  signing: Signing = {},
) =>
  afterSignature(
    name,
    (deed) => ({
      ...edited(
        deed,
        10,
        ']/Contents',
        ` ${annotations.map((_, at) => `${FREE + at} 0 R`).join(' ')}]/Contents`,
      ),
      ...Object.fromEntries(
        annotations.map((entries, at) => [FREE + at, `<</Type/Annot/F 4${entries}>>`]),
      ),
      ...{ [LINE]: lineLook, [AREA]: areaLook, [ICON]: iconLook },
    }),
    answer,
    { entries: certifying(3), ...signing },
  )

const marked = (name: string, marks: readonly Mark[], answer: Attack['answer']) =>
  annotated(
    name,
    marks.map(([kind, quads, entries = '']) => {
      const place = entries.includes('/Rect') ? '' : '/Rect[0 0 300 300]'
      return `/Subtype/${kind}${place}/QuadPoints[${quads.flat().join(' ')}]${entries}`
    }),
    answer,
  )

const LINES = ['StrikeOut', 'Underline', 'Squiggly'] as const
/** The text of page 1. */
const TEXT = [28, 145, 200, 28] as const

const wide: Attack[] = LINES.flatMap((kind) => [
  marked(`${kind} as high as half of the page`, [[kind, [along(0, 60, 300, 200)]]], INVALID),
  marked(`${kind} whose corners go around`, [[kind, [around(...TEXT)]]], INVALID),
])

const looksAside: Attack[] = [
  ['for a pressed button', `/D ${LINE} 0 R`],
  ['for a state that nothing names', `/N<</On ${LINE} 0 R>>`],
].map(([name, looks]) =>
  marked(
    `a black highlight with a look ${name}`,
    [['Highlight', [along(...TEXT)], `/C[0]/Rect[220 220 280 240]/AP<<${looks}>>`]],
    INVALID,
  ),
)

const times = (count: number, mark: (at: number) => Mark) =>
  Array.from({ length: count }, (_, at) => mark(at))
const GRAY = '/C[.6 .6 .6]'

const together: Attack[] = [
  marked(
    'highlights that are multiplied with each other',
    times(6, () => ['Highlight', [along(...TEXT)], GRAY]),
    INVALID,
  ),
  ...LINES.map((kind) =>
    marked(
      `${kind} beside ${kind}`,
      times(12, (at) => [
        kind,
        [along(28, (kind === 'StrikeOut' ? 125 : 140) + 2.5 * at, 200, 45)],
      ]),
      INVALID,
    ),
  ),
  marked(
    'white lines that readers draw',
    times(12, (at) => ['StrikeOut', [along(28, 125 + 2.5 * at, 200, 45)], '/C[1 1 1]']),
    INVALID,
  ),
  marked('a pale line', [['StrikeOut', [along(...TEXT)], '/C[1 1 0]']], INVALID),
  marked(
    'highlights that are outside of their place',
    times(6, () => ['Highlight', [along(...TEXT)], `${GRAY}/Rect[0 0 0 0]`]),
    INVALID,
  ),
]

const note = (...rectangle: number[]) => `/Subtype/Text/Contents(nota)/Rect[${rectangle.join(' ')}]`
const popup = (...rectangle: number[]) => `/Subtype/Popup/Rect[${rectangle.join(' ')}]`

/** Poppler, PDFium and MuPDF draw the icon upright, turned about the corner above. */
const TURNED: Signing = { changes: (deed) => edited(deed, 10, '/MediaBox', '/Rotate 180/MediaBox') }

/** Without a look: Poppler and Ghostscript draw an icon above, PDFium below, MuPDF in the middle of its place. */
const icons: Attack[] = [
  annotated(
    'notes all over the text',
    [28, 50, 72, 94].map((x) => note(x, 145, x + 20, 170)),
    INVALID,
  ),
  annotated('a note on the text', [note(40, 145, 60, 170)], INVALID),
  annotated('a note without a size above the text', [note(40, 172, 40, 172)], INVALID),
  annotated('a note without a size below the text', [note(40, 144, 40, 144)], INVALID),
  annotated('a note below the text of a turned page', [note(60, 120, 80, 140)], INVALID, TURNED),
  annotated('a note whose place has the text in its middle', [note(0, 60, 120, 250)], INVALID),
]

/** Ghostscript draws the window of a note that is open, Poppler and pdf.js its look. */
const windows: Attack[] = [
  annotated('an open window over the text', [`${popup(20, 100, 250, 200)}/Open true`], INVALID),
  annotated('a low open window above the text', [`${popup(40, 171, 50, 172)}/Open true`], INVALID),
  annotated('a window with a look', [`${popup(20, 60, 258, 290)}/AP<</N ${AREA} 0 R>>`], INVALID),
]

/** Page 1 is a scan. */
const SCANNED: Signing = {
  changes: () => ({ 11: streamBody('q 300 0 0 300 0 0 cm /Im Do Q'), 18: printedScan() }),
}
const IN_DOUBT = {
  verdict: ['INDETERMINATE'],
  says: 'note-may-cover-content',
} as const satisfies Answer
const ICON = FREE + 142
const iconLook = streamBody(
  '1 g 0 0 39 16 re f',
  '/Type/XObject/Subtype/Form/BBox[0 0 39 16]/Resources<<>>',
)

const onScans: Attack[] = [
  annotated('a note on a scan', [note(40, 145, 60, 170)], IN_DOUBT, SCANNED),
  annotated(
    'a note with a white look on a scan',
    [`${note(40, 145, 79, 161)}/AP<</N ${ICON} 0 R>>`],
    IN_DOUBT,
    SCANNED,
  ),
  annotated(
    'a note on a scan, behind many others',
    [...Array.from({ length: 60 }, () => popup(20, 100, 250, 200)), note(40, 145, 60, 170)],
    IN_DOUBT,
    SCANNED,
  ),
  annotated(
    'a closed window on a scan',
    [`${popup(20, 100, 250, 200)}/Open false`],
    valid('ANNOTATIONS'),
    SCANNED,
  ),
]

const SCRIBBLE = FREE + 143
/** Over the 1 of the text of page 1. */
const drawnOver = (
  kind: string,
  name: string,
  content: string,
  answer: Answer,
  signing: Signing = {},
): Attack => {
  const look = streamBody(content, '/Type/XObject/Subtype/Form/BBox[0 0 30 26]/Resources<<>>')
  return afterSignature(
    `${kind} with a look that draws ${name}`,
    (deed) => ({
      ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
      [FREE]: `<</Type/Annot/Subtype/${kind}/F 4/Rect[80 146 110 172]/AP<</N ${SCRIBBLE} 0 R>>>>`,
      [SCRIBBLE]: look,
    }),
    answer,
    { entries: certifying(3), ...signing },
  )
}
const STROKES = '2.5 w 5 8 m 20 8 l 5 8 m 13 21 l S'
const scribbles: Attack[] = [
  ...['Text', 'Highlight', ...LINES].map((kind) =>
    drawnOver(kind, 'strokes over a digit', STROKES, IN_DOUBT),
  ),
  ...(
    [
      ['a short bar over a digit', '1.5 w 8 12 m 18 12 l S'],
      ['a bar at the head of a digit', '1.5 w 0 20 m 20 20 l S'],
      ['an upright stroke beside a digit', '1.5 w 15 4 m 15 22 l S'],
      ['a short bar and a line', '1.5 w 8 12 m 18 12 l 0 2 m 30 2 l S'],
    ] as const
  ).map(([name, content]) => drawnOver('StrikeOut', name, content, IN_DOUBT)),
  drawnOver(
    'StrikeOut',
    'an upright stroke on a scan',
    '1.5 w 15 4 m 15 22 l S',
    IN_DOUBT,
    SCANNED,
  ),
  drawnOver('StrikeOut', 'a line through a digit', '1 w 0 12 m 30 12 l S', valid('ANNOTATIONS')),
  drawnOver(
    'StrikeOut',
    'a line through a short word',
    '1 w 5 11 m 15 11 l S',
    valid('ANNOTATIONS'),
    {
      changes: () => ({ 11: streamBody('BT /F1 12 Tf 85 154 Td (si) Tj ET') }),
    },
  ),
  drawnOver(
    'StrikeOut',
    'lines through two lines',
    '1 w 0 5 m 30 5 l 0 17 m 30 17 l S',
    valid('ANNOTATIONS'),
    {
      changes: () => ({ 11: streamBody('BT /F1 10 Tf 80 148 Td (3000) Tj 0 12 Td (Mil) Tj ET') }),
    },
  ),
  drawnOver(
    'StrikeOut',
    'a line through a turned word',
    '1 w 15 0 m 15 26 l S',
    valid('ANNOTATIONS'),
    {
      changes: () => ({ 11: streamBody('BT /F1 12 Tf 0 1 -1 0 98 146 Tm (3000) Tj ET') }),
    },
  ),
  drawnOver('Underline', 'strokes on a scan', STROKES, IN_DOUBT, SCANNED),
  drawnOver('Underline', 'a line', '1 w 0 2 m 30 2 l S', valid('ANNOTATIONS')),
  drawnOver(
    'Squiggly',
    'a wave',
    '.8 w 0 1 m 5 3 l 10 1 l 15 3 l 20 1 l 25 3 l 30 1 l S',
    valid('ANNOTATIONS'),
  ),
  drawnOver('Underline', 'a line on a scan', '1 w 0 2 m 30 2 l S', valid('ANNOTATIONS'), SCANNED),
]

/** The signature has a look. */
const SEEN: Signing = {
  rectangle: '[150 200 250 240]',
  field: '/AP<</N 55 0 R>>',
  changes: () => ({
    55: streamBody(
      'BT /F1 12 Tf 2 20 Td (Firma: Ana) Tj ET',
      '/Type/XObject/Subtype/Form/BBox[0 0 100 40]/Resources<</Font<</F1 3 0 R>>>>',
    ),
  }),
}
const overSignatures: Attack[] = [
  annotated('a note on a signature', [note(150, 205, 188, 238)], INVALID, SEEN),
  annotated(
    'a note with a white look on a signature',
    [`${note(150, 215, 189, 231)}/AP<</N ${ICON} 0 R>>`],
    INVALID,
    SEEN,
  ),
  annotated('a note beside a signature', [note(255, 205, 280, 230)], valid('ANNOTATIONS'), SEEN),
]

export const TEXT_MARKS: Family = {
  name: 'marks of a text that readers draw',
  attacks: [
    ...wide,
    ...looksAside,
    ...together,
    ...icons,
    ...windows,
    ...onScans,
    ...scribbles,
    ...overSignatures,
  ],
}

/** No part of all families: the oracle compares what is printed, and these are printed over it. */
export const LEGIBLE_MARKS: Family = {
  name: 'marks that leave a text legible',
  attacks: [
    ...LINES.map((kind) => marked(kind, [[kind, [along(...TEXT)]]], valid('ANNOTATIONS'))),
    marked('a highlight', [['Highlight', [along(...TEXT)], '/C[1 1 0]']], valid('ANNOTATIONS')),
    marked('a gray highlight', [['Highlight', [along(...TEXT)], GRAY]], valid('ANNOTATIONS')),
    marked(
      'a highlight, a line and a line below',
      [
        ['Highlight', [along(...TEXT)], '/C[1 1 0]'],
        ['StrikeOut', [along(...TEXT)]],
        ['Underline', [along(...TEXT)]],
      ],
      valid('ANNOTATIONS'),
    ),
    annotated('a note below the text', [note(60, 115, 80, 135)], valid('ANNOTATIONS')),
    annotated('a note in the margin', [note(270, 270, 290, 290)], valid('ANNOTATIONS')),
    annotated('a closed window over the text', [popup(20, 100, 250, 200)], valid('ANNOTATIONS')),
    annotated(
      'an open window in the margin',
      [`${popup(240, 210, 290, 290)}/Open true`],
      valid('ANNOTATIONS'),
    ),
    marked(
      'highlights of the lines of a page',
      times(9, (at) => ['Highlight', [along(28, 25 + 29 * at, 200, 28)], '/C[1 1 0]']),
      valid('ANNOTATIONS'),
    ),
  ],
}
