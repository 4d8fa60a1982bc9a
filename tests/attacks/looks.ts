import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, valid } from './attack.ts'
import {
  COVER,
  type Deed,
  deedBodies,
  edited,
  FREE,
  look,
  revised,
  textStream,
  tick,
} from './deed.ts'
import { afterSignature, deedOf, inEverySetting, SETTINGS } from './settings.ts'
import { certifying, locking, signDeed } from './sign-deed.ts'

/* How filled fields look: what is not their value, what hides it, and what hides the page. */

const FONTS = '/Resources<</Font<</F1 3 0 R>>>>'
const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]'
const drawn = (content: string, entries = FONTS) => streamBody(content, `${LOOK}${entries}`)
const VALUE = 'BT /F1 8 Tf 2 2 Td (2000) Tj ET'

const filled = (deed: Deed, content: string, entries?: string): Bodies => ({
  ...edited(deed, 5, '(1000)', '(2000)'),
  7: drawn(content, entries),
})

/** The value is there for programs that read the text. */
const misleading: [string, string][] = [
  ['a wide line', `1 G 60 w 0 5 m 90 5 l S ${VALUE}`],
  ['wide outlines of its letters', `60 w BT /F1 8 Tf 1 Tr 2 2 Td (2000) Tj ET`],
  ['letters like specks', 'BT /F1 2 Tf 2 2 Td (2000) Tj ET'],
  ['giant letters', 'BT /F1 500 Tf (2000) Tj ET'],
  ['letters made giant by a matrix', 'BT /F1 1 Tf 500 0 0 500 0 0 Tm (2000) Tj ET'],
  ['invisible letters and digits of lines', 'BT 3 Tr /F1 8 Tf (2000) Tj ET 2 w 10 1 m 10 8 l S'],
  ['white letters and digits of lines', '1 g BT /F1 8 Tf (2000) Tj ET 2 w 10 1 m 10 8 l S'],
  ['letters outside and digits of lines', 'BT /F1 8 Tf 0 90 Td (2000) Tj ET 10 1 m 10 8 l S'],
  ['letters in another order', 'BT /F1 8 Tf 40 2 Td (200) Tj -30 0 Td (0) Tj ET'],
  ['letters on top of each other', 'BT /F1 8 Tf -9 Tc 40 2 Td (2000) Tj ET'],
  ['a part of it', 'q 0 0 7 9 re W n BT /F1 8 Tf 2 2 Td (2000) Tj ET Q'],
  ['raised letters', 'BT /F1 8 Tf 40 Ts 2 2 Td (2000) Tj ET'],
  ['squeezed letters', 'BT /F1 8 Tf 1 Tz 2 2 Td (2000) Tj ET'],
  ['a line through a digit', `${VALUE} 2 5 m 8 5 l S`],
  ['a comma of its own', `${VALUE} 12 1 m 13 3 l S`],
]

/** The text of page 1 is below a field that was empty: an 8 over a 3 makes another number. */
const below = (
  name: string,
  page: string,
  answer: Attack['answer'],
  {
    signed = '',
    value = '8',
    unseen = '',
    size = 24,
    more = (_: Deed): Bodies => ({}),
    later = {} as Bodies,
    entries = '',
  } = {},
): Attack => {
  const field = (written: string, appearance: string) =>
    `<</FT/Tx/T(Precio)/V(${written})/Type/Annot/Subtype/Widget/Rect[30 145 60 175]/F 4/P 10 0 R/AP<</N ${appearance}>>>>`
  const digits = (text: string, mode = '') =>
    streamBody(
      `BT ${mode}/F1 ${size} Tf ${size === 24 ? '0 5' : '2 11'} Td (${text}) Tj ET`,
      `/Type/XObject/Subtype/Form/BBox[0 0 30 30]${FONTS}`,
    )
  return afterSignature(
    `a digit over ${name}`,
    () => ({ ...later, 5: field(value, `${FREE} 0 R`), [FREE]: digits(value) }),
    answer,
    {
      entries,
      changes: (deed) => ({
        ...more(deed),
        ...{ 5: field(signed, '7 0 R'), 7: digits(`${unseen}${signed}`, unseen && '3 Tr ') },
        11: streamBody(`BT /F1 24 Tf 30 150 Td ${page} Tj ET`),
      }),
    },
  )
}

/** A 3 where the field is. */
const DRAWN_THREE = '0 G 1 w 32 162 m 42 162 42 156 36 156 c 43 156 43 150 32 150 c S'
/** A 7 of straight lines, as an area and as lines. */
const STRAIGHT_SEVEN = '0 g 32 168 m 44 168 l 44 165 l 38 150 l 35 150 l 40 165 l 32 165 l f'
const LINED_SEVEN = '0 G 2 w 32 167 m 43 167 l 36 150 l S'
/** A comb, and a box to write in. */
const COMB = '0 G 1 w 30 146 m 30 174 l 50 174 m 50 146 l 70 146 l 70 174 l S 20 140 60 40 re S'

/** A box to write in whose corners are round, and a zero as wide as that. */
const roundBox = (left: number, right: number, bottom = 150, radius = 10) => {
  const [k, top] = [radius * 0.45, bottom + 2 * radius]
  const [l, r, b, t] = [left + radius, right - radius, bottom + radius, top - radius]
  return `0 G 1 w ${l} ${bottom} m ${r} ${bottom} l ${right - k} ${bottom} ${right} ${bottom + k} ${right} ${b} c ${right} ${t} l ${right} ${top - k} ${right - k} ${top} ${r} ${top} c ${l} ${top} l ${left + k} ${top} ${left} ${top - k} ${left} ${t} c ${left} ${b} l ${left} ${bottom + k} ${left + k} ${bottom} ${l} ${bottom} c h S`
}

/** A font whose letters are made by instructions, in units of their own. */
const withDrawnLetters =
  (unit: number, height: number) =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 10, '/Font<<', `/Font<</T3 ${FREE + 1} 0 R`),
    [FREE + 1]:
      `<</Type/Font/Subtype/Type3/FontBBox[0 0 ${height} ${height}]/FontMatrix[${unit} 0 0 ${unit} 0 0]/FirstChar 51/LastChar 51/Widths[${height * 0.7}]/CharProcs<</three ${FREE + 2} 0 R>>/Encoding<</Differences[51/three]>>>>`,
    [FREE + 2]: streamBody(
      `${height * 0.7} 0 d0 0 0 m ${height / 2} 0 l ${height / 2} ${height} l f`,
    ),
  })

const beside =
  (flags: number, entries = '') =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 10, ' 19 0 R]', ` 19 0 R ${FREE + 1} 0 R]`),
    [FREE + 1]:
      `<</Type/Annot/Subtype/FreeText/F ${flags}/Rect[30 145 60 175]/AP<</N ${FREE + 2} 0 R>>>>`,
    [FREE + 2]: streamBody(
      'BT /F1 24 Tf 0 5 Td (3) Tj ET',
      `/Type/XObject/Subtype/Form/BBox[0 0 30 30]${FONTS}${entries}`,
    ),
  })

/** More fields than the report lists, before the one over the text. */
const MANY = Array.from({ length: 60 }, (_, at) => FREE + 10 + at)
const manyFields = (value: string): Bodies =>
  Object.fromEntries(MANY.map((number) => [number, `<</FT/Tx/T(c${number})/V(${value})>>`]))
const withMany = (deed: Deed): Bodies => ({
  ...edited(deed, 8, '/Fields[', `/Fields[${MANY.map((number) => `${number} 0 R`).join(' ')} `),
  ...manyFields(''),
})

/** More notes than the report lists, on the second page. */
const manyNotes: Bodies = {
  ...edited(
    { file: new Uint8Array(), bodies: deedBodies() },
    12,
    '/Contents',
    `/Annots[${MANY.map((number) => `${number} 0 R`).join(' ')}]/Contents`,
  ),
  ...Object.fromEntries(
    MANY.map((number) => [number, '<</Type/Annot/Subtype/Text/F 4/Rect[200 200 218 218]>>']),
  ),
}

const WRITTEN_OVER: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  says: 'field-writes-over-content',
}

const WITHOUT_LOOK =
  '<</FT/Tx/T(Precio)/DA(/F1 24 Tf)/Type/Annot/Subtype/Widget/Rect[30 145 60 175]/F 4/P 10 0 R>>'

/** A box over the text of page 1 that is ticked. */
const tickedOver = (name: string, page: string, tick: string, answer: Attack['answer']): Attack => {
  const box = (state: string) =>
    `<</FT/Btn/T(Acepta)/V/${state}/AS/${state}/Type/Annot/Subtype/Widget/Rect[30 145 60 175]/F 4/P 10 0 R/AP<</N<</Si 15 0 R/Off 16 0 R>>>>>>`
  const drawing = (content: string) =>
    streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 30 30]${SIGNS}`)
  return afterSignature(`a box that is ticked over ${name}`, () => ({ 14: box('Si') }), answer, {
    changes: () => ({
      ...{ 14: box('Off'), 15: drawing(tick), 16: drawing('') },
      11: streamBody(`BT /F1 24 Tf 30 150 Td ${page} Tj ET`),
    }),
  })
}
const SIGNS =
  '/Resources<</Font<</F1 3 0 R/ZaDb<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>'
const [SQUARE, CROSS] = ['0 0 30 30 re f', 'BT /ZaDb 24 Tf 0 5 Td (8) Tj ET']

const overText: Attack[] = [
  afterSignature(
    'a digit that readers write themselves over a digit',
    () => ({ 5: WITHOUT_LOOK.replace('/T(Precio)', '/T(Precio)/V(8)') }),
    WRITTEN_OVER,
    { changes: () => ({ 5: WITHOUT_LOOK, 11: textStream('3000') }) },
  ),
  tickedOver('a digit, with a square', '(3000)', SQUARE, WRITTEN_OVER),
  tickedOver('a digit, with a cross', '(3000)', CROSS, WRITTEN_OVER),
  tickedOver('brackets', '([  ])', CROSS, valid()),

  below('a digit', '(3000)', WRITTEN_OVER),
  below('a digit, in a field that was filled elsewhere', '(3000)', WRITTEN_OVER, { signed: ' ' }),
  below('a line to write on', '(______)', valid()),
  below('points to write on', '(......)', valid()),
  below('a pale hint', '.7 g (DD/MM) Tj 0 g ( )', valid()),
  below('a pale digit', '.7 g (3000) Tj 0 g ( )', WRITTEN_OVER),
  below('a white digit', '1 g (3000) Tj 0 g ( )', valid()),
  below('a digit in a colour of its own', '/CS cs 0 sc (3000) Tj 0 g ( )', WRITTEN_OVER, {
    more: (deed) =>
      edited(deed, 10, '/Font<<', '/ColorSpace<</CS[/CalGray<</WhitePoint[1 1 1]>>]>>/Font<<'),
  }),
  below('a digit that is drawn', `() Tj ET ${DRAWN_THREE} BT /F1 24 Tf ( )`, WRITTEN_OVER),
  below(
    'a digit that is drawn without curves',
    `() Tj ET ${STRAIGHT_SEVEN} BT /F1 24 Tf ( )`,
    WRITTEN_OVER,
  ),
  below('a digit of straight lines', `() Tj ET ${LINED_SEVEN} BT /F1 24 Tf ( )`, WRITTEN_OVER),
  below('a comb in a box', `() Tj ET ${COMB} BT /F1 24 Tf ( )`, valid()),
  below('a box with round corners', `() Tj ET ${roundBox(28, 98)} BT /F1 24 Tf ( )`, valid(), {
    size: 12,
  }),
  below('a zero that is drawn', `() Tj ET ${roundBox(28, 48)} BT /F1 24 Tf ( )`, WRITTEN_OVER, {
    size: 12,
  }),
  below(
    'digits that are drawn as one line',
    `() Tj ET ${roundBox(28, 43).replace(/ S$/, '')} ${roundBox(48, 63).replace(/^0 G 1 w/, '')} BT /F1 24 Tf ( )`,
    WRITTEN_OVER,
    { size: 12 },
  ),
  below(
    'the edge of a box with round corners',
    `() Tj ET ${roundBox(-60, 35)} BT /F1 24 Tf ( )`,
    WRITTEN_OVER,
    { size: 12 },
  ),
  below('a digit that instructions make', '/T3 24 Tf (3)', WRITTEN_OVER, {
    more: withDrawnLetters(0.001, 700),
  }),
  below(
    'the last of some digits that instructions make in units of their own',
    '/T3 1 Tf -56 0 Td (33333)',
    WRITTEN_OVER,
    { more: withDrawnLetters(1, 20) },
  ),
  below('a digit, beside more notes than the report lists', '(3000)', WRITTEN_OVER, {
    ...{ later: manyNotes, entries: certifying(3) },
  }),
  below('a digit, behind many other fields', '(3000)', WRITTEN_OVER, {
    more: withMany,
    later: manyFields('1'),
  }),
  below('a digit of another annotation', '( )', WRITTEN_OVER, { more: beside(4) }),
  below('a digit of an annotation that is slanted', '( )', WRITTEN_OVER, {
    more: beside(4, '/Matrix[1 .1 0 1 0 0]'),
  }),
  below('a digit of an annotation that is turned', '( )', WRITTEN_OVER, {
    more: beside(4, '/Matrix[0 1 -1 0 30 0]'),
    value: '88',
  }),
  below('a blank part of an annotation that is turned', '( )', valid(), {
    more: beside(4, '/Matrix[-1 0 0 -1 30 30]'),
  }),
  below('a digit of a hidden annotation', '( )', valid(), { more: beside(6) }),
  below('a digit over which it wrote it unseen', '(3000)', WRITTEN_OVER, { unseen: '8' }),
  below('a digit over which it wrote a point', '(3000)', WRITTEN_OVER, { signed: '.' }),
]

const texts: Attack[] = [
  ...overText,
  ...misleading.flatMap(([name, content]) =>
    inEverySetting(`a value with ${name}`, (deed) => filled(deed, content), INVALID).slice(0, 2),
  ),
  ...inEverySetting(
    'a value that a look twice as large shows',
    (deed) => ({
      ...edited(deed, 5, '(1000)', '(2000)'),
      7: streamBody(VALUE, `/Type/XObject/Subtype/Form/BBox[0 0 30 3]${FONTS}`),
    }),
    INVALID,
  ).slice(0, 2),
  ...[
    ['a turned look', '/Matrix[-1 0 0 -1 90 9]'],
    ['a look in a layer', '/OC 23 0 R'],
  ].map(([name, entry]) =>
    afterSignature(
      `a value in ${name}`,
      (deed) => filled(deed, VALUE, `${FONTS}${entry}`),
      INVALID,
    ),
  ),
  afterSignature(
    'a value in transparent letters',
    (deed) =>
      filled(deed, `/G gs ${VALUE}`, '/Resources<</Font<</F1 3 0 R>>/ExtGState<</G<</ca 0>>>>>>'),
    INVALID,
  ),
  afterSignature(
    'a value in white, mixed with the page',
    (deed) =>
      filled(
        deed,
        `/G gs ${VALUE}`,
        '/Resources<</Font<</F1 3 0 R>>/ExtGState<</G<</BM/Difference>>>>>>',
      ),
    INVALID,
  ),
  ...['[(2)(0)(0)(0)] TJ', '(2) Tj (000) Tj', '(2) Tj [-500 (000)] TJ'].map((showing) =>
    afterSignature(
      `a value in a font with letters without width, apart: ${showing}`,
      (deed) =>
        filled(
          deed,
          VALUE.replace('(2000) Tj', showing),
          '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 51/Widths[556]>>>>>>',
        ),
      INVALID,
    ),
  ),
  ...[
    ['signs', '/BaseFont/ZapfDingbats'],
    ['another table', `/BaseFont/Helvetica/ToUnicode ${FREE} 0 R`],
    ['letters without width', '/BaseFont/Helvetica/FirstChar 48/Widths[0 0 0]'],
    ['widths of other letters', '/BaseFont/Helvetica/FirstChar 65/LastChar 67/Widths[556 556 556]'],
    ['letters of its own', '/BaseFont/Own/FontDescriptor 30 0 R/Encoding/WinAnsiEncoding'],
    ['letters of its own and a table', `/BaseFont/Own/FontDescriptor 30 0 R/ToUnicode ${FREE} 0 R`],
  ].map(([name, font]) =>
    afterSignature(
      `a value in a font with ${name}`,
      (deed) => ({
        ...filled(
          deed,
          font!.includes('ToUnicode') ? VALUE.replace('2000', '1///') : VALUE,
          `/Resources<</Font<</F1<</Type/Font/Subtype/Type1${font}>>>>>>`,
        ),
        [FREE]: streamBody('1 beginbfrange <00> <fe> <0001> endbfrange'),
      }),
      INVALID,
    ),
  ),
  afterSignature(
    'a value that is shown, and something else below the pointer',
    (deed) => ({
      5: deed.bodies[5]!.replace('(1000)', '(2000)').replace('/N 7 0 R', `/N 7 0 R/R ${FREE} 0 R`),
      7: look('2000'),
      [FREE]: look('9999'),
    }),
    INVALID,
  ),
  afterSignature(
    'a value that is shown in one of two states',
    (deed) => ({
      5: deed.bodies[5]!.replace('(1000)', '(2000)/AS/On').replace(
        '/N 7 0 R',
        `/N<</On ${FREE} 0 R>>`,
      ),
      [FREE]: look('9999'),
    }),
    INVALID,
  ),
  afterSignature(
    'a value without its look',
    (deed) => ({ 5: deed.bodies[5]!.replace('(1000)', '(2000)').replace('/AP<</N 7 0 R>>', '') }),
    INVALID,
  ),
  afterSignature(
    'a value with the look of another',
    (deed) => edited(deed, 5, '(1000)', '(2000)'),
    INVALID,
  ),
]

/** Entries beside the value that readers show, or draw with. */
const besides: Attack[] = [
  ['rich text that says something else', '/RV(<p>9999</p>)', INVALID],
  ['rich text', '/RV(<p>2000</p>)', valid('FORM_FILLING')],
  ['giant letters by default', '/DA(/F1 400 Tf)', INVALID],
  ['white letters by default', '/DA(1 g /F1 8 Tf)', INVALID],
  ['other letters by default', '/DA(0 0 1 rg /F1 8 Tf)', valid('FORM_FILLING')],
  ['its look moved by default', '/DA(1 0 0 1 9 9 cm /F1 8 Tf)', INVALID],
  ['another place of the text', '/Q 2', INVALID],
  ['fewer letters', '/MaxLen 2', INVALID],
  ['a style of its own', '/DS(color:white)', INVALID],
].map(([name, entry, answer]) =>
  afterSignature(
    `a value, and ${name}`,
    (deed) => ({ ...edited(deed, 5, '(1000)', `(2000)${entry}`), 7: look('2000') }),
    answer as typeof INVALID,
  ),
)

const notFilled: Attack[] = [
  ...[
    ['a push button', '/FT/Btn/Ff 65536'],
    ['a field that is only read', '/FT/Tx/Ff 1'],
  ].flatMap(([name, kind]) =>
    inEverySetting(
      `${name}, filled`,
      (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }),
      INVALID,
      { changes: (deed) => edited(deed, 5, '/FT/Tx', kind!) },
    ).slice(0, 2),
  ),
  afterSignature(
    'a push button that gains a value',
    (deed) => ({ ...edited(deed, 5, '/T(', '/V/x/T('), 7: look('2000') }),
    INVALID,
    {
      changes: (deed) => edited(deed, 5, '/FT/Tx/T(Precio)/V(1000)', '/FT/Btn/Ff 65536/T(Precio)'),
    },
  ),
  afterSignature(
    'a field that programs fill, and the signature names what it locks',
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('2000') }),
    valid('FORM_FILLING'),
    {
      changes: (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/Ff 1'),
      entries: locking('Include', 'Estado'),
    },
  ),
]

const ticked = (deed: Deed): Bodies => ({
  14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
})

/** A box as it was signed, with what ticking it shows. */
const signedBox =
  (rectangle: string, on: string, off = look('')) =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 14, '[0 30 90 39]', rectangle),
    15: on,
    16: off,
  })
const boxed = (size: string, content: string) =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 ${size}]${FONTS}`)

const boxes: Attack[] = [
  ['a white strip', '[0 150 300 209]', boxed('300 59', '1 g 0 0 300 59 re f')],
  ['a narrow white strip', '[0 150 200 170]', boxed('200 20', '1 g 0 0 200 20 re f')],
  ['a black strip', '[0 150 200 170]', boxed('200 20', '0 0 200 20 re f')],
  ['a strip of a wide line', '[0 150 200 170]', boxed('200 20', '1 G 20 w 0 10 m 200 10 l S')],
  [
    'a strip of a colour that is not known',
    '[0 150 200 170]',
    boxed('200 20', '/Own cs 1 scn 0 0 200 20 re f'),
  ],
  ['a white area', '[30 150 50 170]', boxed('20 20', '1 g 0 0 20 20 re f')],
  ['a digit', '[30 150 50 170]', boxed('20 20', 'BT /F1 20 Tf (9) Tj ET')],
  [
    'an amount of lines',
    '[0 150 200 170]',
    boxed('200 20', '5 5 m 5 15 l S 90 5 m 90 15 l S 150 5 m 150 15 l S'),
  ],
  ['a giant sign', '[0 30 300 280]', boxed('300 250', 'BT /F1 300 Tf (X) Tj ET')],
  ['a sentence', '[0 150 200 170]', boxed('200 20', 'BT /F1 9 Tf (Renuncio) Tj ET')],
  [
    'a picture',
    '[30 150 50 170]',
    streamBody(
      '20 0 0 20 0 0 cm /Im Do',
      '/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<</XObject<</Im 18 0 R>>>>',
    ),
  ],
].map(([name, rectangle, on]) =>
  afterSignature(`a box that shows ${name} when it is ticked`, ticked, INVALID, {
    changes: signedBox(rectangle!, on!, boxed('300 59', '')),
  }),
)

const states: Attack[] = [
  ...inEverySetting(
    'a box in a state without a look',
    (deed) => ({ 14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Otro/AS/Otro') }),
    INVALID,
  ).slice(0, 2),
  afterSignature(
    'a box whose value is a text',
    (deed) => ({ 14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V(Si)/AS/Si') }),
    INVALID,
  ),
  afterSignature(
    'a box whose value and state differ',
    (deed) => ({ 14: deed.bodies[14]!.replace('/V/Off', '/V/Si') }),
    INVALID,
  ),
  ...[
    [
      'a tick',
      boxed('20 20', '0 g BT /ZaDb 14 Tf 3 5 Td (4) Tj ET').replace(
        FONTS,
        '/Resources<</Font<</ZaDb<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>',
      ),
    ],
    ['a cross of lines', boxed('20 20', '1 w 3 3 m 17 17 l 3 17 m 17 3 l S')],
    [
      'a dot',
      boxed(
        '20 20',
        '10 3 m 14 3 17 6 17 10 c 17 14 14 17 10 17 c 6 17 3 14 3 10 c 3 6 6 3 10 3 c f',
      ),
    ],
    ['a word', boxed('20 20', 'BT /F1 9 Tf 3 5 Td (Si) Tj ET')],
  ].map(([name, on]) =>
    afterSignature(
      `a box that shows ${name} when it is ticked, signed so`,
      ticked,
      valid('FORM_FILLING'),
      {
        changes: signedBox('[230 240 250 260]', on!, boxed('20 20', '')),
      },
    ),
  ),
  afterSignature(
    'a box that is ticked',
    (deed) => ({ ...ticked(deed), 15: tick('4') }),
    valid('FORM_FILLING'),
  ),
]

/** The state becomes a list box of three lines. */
const listed = (deed: Deed): Bodies => ({
  17: deed.bodies[17]!.replace('[0 40 90 49]', '[0 100 90 136]').replace(
    '(Sonora)',
    '(Sonora)(Colima)',
  ),
  21: list('Jalisco'),
})
const list = (...marked: string[]) => listOf(['Jalisco', 'Sonora', 'Colima'], marked)
const listOf = (items: readonly string[], marked: readonly string[], more = '', below = '') => {
  const rows = items.map((_, at) => 26 - 12 * at)
  const grounds = items.flatMap((item, at) =>
    marked.includes(item) ? `0.6 0.75 0.85 rg 1 ${rows[at]! - 2} 88 11 re f ` : [],
  )
  const words = items.map((item, at) => `BT 0 g /F1 8 Tf 2 ${rows[at]} Td (${item}) Tj ET `)
  return streamBody(
    `/Tx BMC q 1 1 88 34 re W n ${below}${grounds.join('')}${words.join('')}${more}Q EMC`,
    `/Type/XObject/Subtype/Form/BBox[0 0 90 36]${FONTS}`,
  )
}
const chosen = (deed: Deed, body: string, more = ''): Bodies => ({
  ...edited(deed, 17, '/V(Jalisco)', `/V(Sonora)${more}`),
  21: body,
})

const lists: Attack[] = (
  [
    ['its items, and marks what is chosen', list('Sonora'), '', valid('FORM_FILLING')],
    ['its items, marked and numbered', list('Sonora'), '/I[1]', valid('FORM_FILLING')],
    ['its last items', listOf(['Sonora', 'Colima'], ['Sonora']), '/TI 1', valid('FORM_FILLING')],
    ['its items, and numbers another', list('Sonora'), '/I[2]', INVALID],
    ['its items, and marks another', list('Colima'), '', INVALID],
    ['its items, and marks two', list('Sonora', 'Colima'), '', INVALID],
    ['its items without a mark', list(), '', INVALID],
    ['other items', listOf(['Jalisco', 'Sonora', 'Renuncio'], ['Sonora']), '', INVALID],
    ['its items in another order', listOf(['Sonora', 'Jalisco'], ['Sonora']), '', INVALID],
    ['its items below an area', listOf(['Sonora'], ['Sonora'], '1 g 0 0 90 36 re f '), '', INVALID],
    ['its items beside a line', listOf(['Sonora'], ['Sonora'], '5 w 0 9 m 50 9 l S '), '', INVALID],
  ] as const
).map(([name, body, more, answer]) =>
  afterSignature(`a list shows ${name}`, (deed) => chosen(deed, body, more), answer, {
    changes: listed,
  }),
)
/** The ground of the list has the colour of a mark, and the chosen item is white. */
const invertedList = afterSignature(
  'a list shows its items, and marks all others',
  (deed) => {
    const below = '0.6 0.75 0.85 rg 0 0 90 36 re f 1 g 1 12 88 11 re f '
    return chosen(deed, listOf(['Jalisco', 'Sonora', 'Colima'], [], '', below))
  },
  INVALID,
  {
    changes: (deed) => ({
      ...listed(deed),
      21: listOf(['Jalisco', 'Sonora', 'Colima'], ['Jalisco'], '', '1 g 0 0 90 36 re f '),
    }),
  },
)

const extended =
  (resources: string, more: Bodies = {}) =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 8, '/DR<<', `/DR<<${resources}`),
    ...more,
  })
const withFont = (font: string) => (deed: Deed) =>
  edited(deed, 8, '/F1 3 0 R', `/F1 3 0 R/F9 ${font}`)
/** A look that leaves its resources to the form. */
const LACKING = {
  changes: () => ({
    7: streamBody('/Fm Do BT /F9 8 Tf 2 2 Td (1000) Tj ET', `${LOOK}/Resources<<>>`),
  }),
}
const EMBEDDED =
  '<</Type/Font/Subtype/TrueType/BaseFont/Deed/FontDescriptor 30 0 R/Encoding/WinAnsiEncoding>>'
const SYMBOLS = '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>'
const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'

const resources: Attack[] = [
  ...inEverySetting(
    'a figure by the name that a look draws',
    extended(`/XObject<</Fm ${FREE} 0 R>>`, { [FREE]: COVER }),
    INVALID,
    LACKING,
  ),
  ...[
    [
      'a figure by a name that no look draws',
      extended(`/XObject<</Fx ${FREE} 0 R>>`, { [FREE]: COVER }),
      true,
    ],
    ['letters of their own by the name that a look writes with', withFont(EMBEDDED), false],
    ['signs by the name that a look writes with', withFont(SYMBOLS), false],
    ['usual letters by the name that a look writes with', withFont(HELVETICA), true],
  ].map(([name, change, isGood]) =>
    afterSignature(
      `resources of the form gain ${name}`,
      change as (deed: Deed) => Bodies,
      isGood ? valid() : INVALID,
      LACKING,
    ),
  ),
  afterSignature(
    'resources of the form gain signs that fields write with',
    withFont(SYMBOLS),
    INVALID,
    {
      changes: (deed) => edited(deed, 5, '/T(', '/DA(/F9 8 Tf)/T('),
    },
  ),
  afterSignature('resources of the form gain signs', withFont(SYMBOLS), valid()),
  ...[
    ['giant', '(/F1 300 Tf)', INVALID],
    ['usual', '(/F1 8 Tf 0 g)', valid()],
  ].map(([name, text, answer]) =>
    afterSignature(
      `a form that gains ${name} letters by default`,
      (deed) => edited(deed, 8, '/SigFlags', `/DA${text}/SigFlags`),
      answer as typeof INVALID,
      { changes: (deed) => edited(deed, 8, '/DA(/F1 0 Tf)', '') },
    ),
  ),
]

/** A later signature with a look, on page 1: its text begins at 30 150 and is 24 points high. */
const laterSignature = (
  name: string,
  rectangle: string,
  content: string,
  answer: Attack['answer'],
  entries = '',
): Attack => ({
  name: `a later signature ${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!)
    const [left = 0, bottom = 0, right = 0, top = 0] = rectangle.slice(1, -1).split(' ').map(Number)
    const box = `/Type/XObject/Subtype/Form/BBox[0 0 ${right - left} ${top - bottom}]`
    const drawn = streamBody(
      content,
      `${box}/Resources<</Font<</F1 3 0 R>>/XObject<</Im 18 0 R>>/ExtGState<</M<</BM/Multiply>>/T<</ca 0.99>>/L<</BM/Screen>>/G<</ca 0.1>>>>>>`,
    )
    const withLook = revised(deed, { [FREE]: drawn })
    return (
      await signDeed(withLook, { number: 70, rectangle, field: `/AP<</N ${FREE} 0 R>>${entries}` })
    ).file
  },
  answer,
})
const OVER = '[20 140 200 190]'
const BLANK = '[20 220 200 270]'
const AREA = '1 g 0 0 180 50 re f'
const WORDS = 'BT 0 g /F1 9 Tf 5 30 Td (Firmado por Ana) Tj ET'
const covering: Attack[] = [
  laterSignature('over the text, with an area', OVER, `${AREA} ${WORDS}`, INVALID),
  laterSignature('over the text, with a picture', OVER, 'q 180 0 0 50 0 0 cm /Im Do Q', INVALID),
  laterSignature('over the text, with a wide line', OVER, '1 G 50 w 0 25 m 180 25 l S', INVALID),
  laterSignature(
    'over the text, with wide outlines that are also a clip',
    OVER,
    'BT /F1 9 Tf 5 Tr 60 w 0.5 G 5 30 Td (Firmado por Ana) Tj ET',
    INVALID,
  ),
  laterSignature(
    'over the text, with one layer of thin lines',
    OVER,
    Array.from(
      { length: 14 },
      (_, at) => `0 G 3.6 w 0 ${2 + at * 3.6} m 180 ${2 + at * 3.6} l S`,
    ).join(' '),
    INVALID,
  ),
  laterSignature(
    'over the text, moved there by a number that readers take for 0',
    OVER,
    'q 1 0 0 1 4294967296 0 cm 0 0 180 50 re f Q',
    INVALID,
  ),
  laterSignature('over the text, with giant letters', OVER, 'BT /F1 90 Tf (MMM) Tj ET', INVALID),
  laterSignature('over the text, almost opaque', OVER, `/T gs ${AREA}`, INVALID),
  laterSignature('over the text, mixed with it', OVER, `/L gs ${AREA}`, INVALID),
  laterSignature(
    'over the text, with a pattern',
    OVER,
    '/Pattern cs /P scn 0 0 180 50 re f',
    INVALID,
  ),
  laterSignature('over the text, with a shading', OVER, '/S sh', INVALID),
  laterSignature(
    'over the text, with a picture of its own',
    OVER,
    'BI /W 1 /H 1 /CS /G /BPC 8 ID x EI',
    INVALID,
  ),
  laterSignature('over the text, with a part of it', OVER, '1 g 10 5 20 30 re f', INVALID),
  laterSignature('over a field that shows a value', '[0 8 90 40]', '1 g 0 0 90 32 re f', INVALID),
  laterSignature('over the text, in letters', OVER, WORDS, valid('FORM_FILLING')),
  laterSignature('over the text, multiplied', OVER, `/M gs ${AREA}`, valid('FORM_FILLING')),
  laterSignature('over the text, almost transparent', OVER, `/G gs ${AREA}`, valid('FORM_FILLING')),
  laterSignature('on a blank area', BLANK, `${AREA} ${WORDS}`, valid('FORM_FILLING')),
  laterSignature(
    'on a blank area, with a picture',
    BLANK,
    'q 40 0 0 40 0 0 cm /Im Do Q',
    valid('FORM_FILLING'),
  ),
]

export const LOOKS: readonly Family[] = [
  { name: 'looks of later signatures', attacks: covering },
  { name: 'resources of the form', attacks: resources },
  { name: 'looks of texts', attacks: texts },
  { name: 'entries beside a value', attacks: besides },
  { name: 'fields that are not filled', attacks: notFilled },
  { name: 'looks of boxes', attacks: [...boxes, ...states] },
  { name: 'looks of lists', attacks: [...lists, invertedList] },
]

/** No part of all families: MuPDF takes the line and the digit for one word. */
export const LINES_TO_WRITE_ON: Family = {
  name: 'lines to write on',
  attacks: [
    below('a line to write on, in a font that lists no width for it', '(______)', valid(), {
      more: () => ({
        3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 56/LastChar 56/Widths[556]>>',
      }),
    }),
  ],
}
