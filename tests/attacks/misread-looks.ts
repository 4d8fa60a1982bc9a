import { deflateSync } from 'node:zlib'
import { fontWith } from '#tests/support/pdf/giant-font.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, NOT_GOOD, valid } from './attack.ts'
import { type Deed, edited, FREE, revised } from './deed.ts'
import { afterSignature, deedOf, SETTINGS } from './settings.ts'
import { certifying, type Signing, signDeed } from './sign-deed.ts'

/* Looks that readers draw in another way than a careless reading of their instructions says. */

const FONTS = '/Resources<</Font<</F1 3 0 R>>>>'
const BOX = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]'
const drawn = (content: string, entries = FONTS) => streamBody(content, `${BOX}${entries}`)
const VALUE = 'BT /F1 8 Tf 2 2 Td (2000) Tj ET'

/** The price becomes `value`, with a look. */
const filled =
  (content: string, { value = '2000', entries = FONTS, more = {} as Bodies } = {}) =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 5, '(1000)', value.startsWith('<') ? value : `(${value})`),
    7: drawn(content, entries),
    ...more,
  })

/** The field was signed with a ground that its look draws. */
const onGround = { changes: () => ({ 7: drawn(`0.9 g 0 0 90 9 re f 0 g ${VALUE}`) }) }
/** The look of the field as large as a paragraph. */
const paragraph = (content: string) =>
  streamBody(content, `/Type/XObject/Subtype/Form/BBox[0 0 90 59]${FONTS}`)
const ANSWER = 'Acepto. No, no acepto.'

/** A field of ten cells. */
const inCells = {
  changes: (deed: Deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/MaxLen 10/Ff 16777216'),
}
/** A field as large as a paragraph. */
const inLines = {
  changes: (deed: Deed) => ({
    5: deed.bodies[5]!.replace('/FT/Tx', '/FT/Tx/Ff 4096').replace(
      '[0 10 90 19]',
      '[0 200 90 259]',
    ),
  }),
}
const GROUND = '0.9 g 0 0 90 9 re f 0 g'
const DRAWN_FONT = `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 48/LastChar 52/Widths[1 1 1 1 1]/CharProcs<</zero ${FREE + 1} 0 R>>/Encoding<</Differences[48/zero/zero/zero/zero/zero]>>>>`
const drawnLetter = (content: string) => streamBody(`1 0 d0 ${content}`)

const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'

const texts: Attack[] = (
  [
    ['operands too many', 'BT /F1 8 Tf 2 2 Td (2) Tj 25 0 5 0 Td (000) Tj -5 -5 Td ET'],
    ['operands of another type', 'BT /F1 8 Tf /x 2 2 Td (2000) Tj ET'],
    ['a number with a sign in its middle', 'BT /F1 8 Tf 2-30 2 Td (2000) Tj ET'],
    ['a number with two signs', 'BT /F1 8 Tf --2 2 Td (2000) Tj ET'],
    ['saved states inside its text', 'BT /F1 8 Tf 40 2 Td (2) Tj q 30 0 Td Q -25 0 Td (000) Tj ET'],
    ['text outside of a text', 'BT /F1 8 Tf 2 2 Td (20) Tj ET (00) Tj'],
    ['a text inside of a text', 'BT /F1 8 Tf BT 2 2 Td (20) Tj ET (00) Tj ET'],
    ['a clip that cuts its corner off', `q 0 0 m 90 0 l 90 9 l 89 9 l W n ${VALUE} Q`],
    ['a clip without area', `q 0 0 m 90 0 l 90 9 l 90 0 l h W n ${VALUE} Q`],
    ['a clip over its first digit', 'q 24 0 66 9 re W n BT /F1 8 Tf 18 2 Td (2000) Tj ET Q'],
    ['edges over its digits', `${VALUE} 1 g 0 0 80 4 re f 0 5 80 4 re f 1 G 2 w 0 4 m 80 4 l S`],
    ['an edge of many pieces', `${VALUE} 0 0 3 2 re 6 0 1 3 re 20 0 5 1 re 80 0 9 2 re f`],
    ['a dashed edge', `${VALUE} 3 w [1 2 5 3 1 9] 0 d 0 7 m 90 7 l S`],
    ['smaller digits between', 'BT /F1 2 Tf 2 2 Td (2) Tj /F1 8 Tf 3 0 Td (000) Tj ET'],
    ['pale digits between', 'BT /F1 8 Tf 2 2 Td 0.8 g (2) Tj 0 g (000) Tj ET'],
    ['digits beyond its edge', 'BT /F1 8 Tf 80 2 Td (2000) Tj ET'],
    ['a wide gap before its end', 'BT /F1 8 Tf 90 Tw 2 2 Td (2 000) Tj ET'],
    ['gaps between its digits', 'BT /F1 8 Tf 30 Tc 2 2 Td (2000) Tj ET'],
    ['a soft hyphen', 'BT /F1 8 Tf 2 2 Td (\\2552000) Tj ET'],
    ['a raised digit', 'BT /F1 8 Tf 2 2 Td (\\262000) Tj ET'],
  ] as const
).map(([name, content]) => afterSignature(`a value with ${name}`, filled(content), INVALID))

const outlined = (outline: string) => filled(`BT /F1 8 Tf 2 Tr .1 w ${outline} 2 2 Td (2000) Tj ET`)

const grounds: Attack[] = [
  afterSignature('letters with a white outline', outlined('1 G'), INVALID),
  afterSignature('letters with a black outline', outlined('0 G'), valid('FORM_FILLING')),
  afterSignature(
    'a value, and a digit drawn on its ground',
    filled(`${GROUND} 1 1 m 4 1 l 4 8 l 1 8 l f BT /F1 8 Tf 9 2 Td (2000) Tj ET`),
    INVALID,
    onGround,
  ),
  afterSignature(
    'a value, and a ground that a clip makes a digit',
    filled(`${GROUND} q 1 1 1 7 re W n 0 0 90 9 re f Q BT /F1 8 Tf 9 2 Td (2000) Tj ET`),
    INVALID,
    onGround,
  ),
  afterSignature(
    'a value between lines of cells that hide a digit',
    filled('BT /F1 8 Tf 2 2 Td (2000) Tj ET 1 G 2 w 3 0 m 3 9 l 5 0 m 5 9 l 7 0 m 7 9 l S'),
    INVALID,
    inCells,
  ),
  afterSignature(
    'a value, and lines of cells where there are none',
    filled('1 w 20 0 m 20 9 l S BT /F1 8 Tf 2 2 Td (2000) Tj ET'),
    INVALID,
    inCells,
  ),
  afterSignature(
    'a value in cells',
    filled(
      '1 w 9 0 m 9 9 l 18 0 m 18 9 l 27 0 m 27 9 l S BT /F1 8 Tf 2 2 Td (2) Tj 9 0 Td (0) Tj 9 0 Td (0) Tj 9 0 Td (0) Tj ET',
    ),
    valid('FORM_FILLING'),
    inCells,
  ),
  ...(
    [
      ['its beginning, where there is room for all', '2 48 Td (Acepto.) Tj', INVALID],
      ['its beginning at the foot', '2 2 Td (Acepto.) Tj', INVALID],
      ['its end below the field', '2 48 Td (Acepto.) Tj 0 -20 Td T* (No, no) Tj', INVALID],
      [
        'its end far below the field',
        '2 2 Td (Acepto.) Tj 0 -24 Td (No,) Tj 0 -24 Td (no acepto.) Tj',
        INVALID,
      ],
      ['all of it', '2 48 Td (Acepto. No,) Tj 0 -9 Td (no acepto.) Tj', valid('FORM_FILLING')],
    ] as const
  ).map(([name, content, answer]) =>
    afterSignature(
      `a paragraph that shows ${name}`,
      (deed) => ({
        ...edited(deed, 5, '(1000)', `(${ANSWER})`),
        7: paragraph(`BT /F1 8 Tf ${content} ET`),
      }),
      answer,
      inLines,
    ),
  ),
  ...(
    [
      ['a minus', '2212', '2000', INVALID],
      ['a minus, with a sign in its place', '2212', '?2000', valid('FORM_FILLING')],
      ['a minus, with a sign behind it', '2212', '2000?', INVALID],
      ['a minus, with a point behind it', '2212', '2000\\267', INVALID],
      ['a digit', '0661', '2000', INVALID],
      ['a currency', '20a9', '2000', INVALID],
      ['a letter', '0410', '2000', valid('FORM_FILLING')],
    ] as const
  ).map(([name, code, shown, answer]) =>
    afterSignature(
      `a value without ${name} that the font lacks`,
      filled(VALUE.replace('2000', shown), {
        value: `<feff${code}0032003000300030>`,
        entries: `/Resources<</Font<</F1${HELVETICA}>>>>`,
      }),
      answer,
    ),
  ),
  ...(
    [
      ['a letter, with its question mark', '0410003f', '?', valid('FORM_FILLING')],
      ['a letter, with a sign and its question mark', '0410003f', '??', valid('FORM_FILLING')],
      ['two letters, with a sign for one', '04100412', '?', valid('FORM_FILLING')],
      ['two letters, with more signs', '04100412', '???', INVALID],
      ['two letters in their order', '04100412', '\\101\\102', valid('FORM_FILLING')],
      ['two letters in another order', '04100412', '\\102\\101', INVALID],
      ['a letter without its question mark', '0410003f', '\\101', INVALID],
    ] as const
  ).map(([name, codes, shown, answer]) =>
    afterSignature(
      `a value that shows ${name}`,
      filled(`BT /F2 8 Tf 2 2 Td (${shown}) Tj ET`, {
        value: `<feff${codes}>`,
        entries:
          '/Resources<</Font<</F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/uni0410/uni0412]>>>>>>>>',
      }),
      answer,
    ),
  ),
  afterSignature(
    'a value with foreign letters beside others',
    filled(`BT /F2 8 Tf 2 2 Td (AB2000) Tj ET`, {
      value: '<feff0032003000300030263a>',
      entries:
        '/Resources<</Font<</F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/uni0410/uni0412]>>>>>>>>',
    }),
    INVALID,
  ),
]

const COLOURS = `/Resources<</Font<</F1 3 0 R>>/ColorSpace<</CS[/ICCBased ${FREE} 0 R]>>>>`
const fonts: Attack[] = [
  afterSignature(
    'a value in letters of a look around it',
    filled('/Fm Do', {
      entries: `/Resources<</XObject<</Fm ${FREE + 2} 0 R>>/Font<</F1 ${FREE} 0 R>>>>`,
      more: {
        [FREE]: DRAWN_FONT,
        [FREE + 1]: drawnLetter('0 0 1 1 re f'),
        [FREE + 2]: streamBody(VALUE, BOX),
      },
    }),
    INVALID,
  ),
  afterSignature(
    'a value in letters that the form and the page have',
    filled(VALUE, { entries: '/Resources<<>>' }),
    valid('FORM_FILLING'),
  ),
  afterSignature(
    'a value in letters that are others on the page than in the form',
    filled(VALUE, { entries: '/Resources<<>>' }),
    INVALID,
    { changes: (deed) => edited(deed, 10, '/F1 3 0 R', '/F1 39 0 R') },
  ),
  afterSignature(
    'a value in letters that are wider than the field',
    filled(VALUE, {
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/FirstChar 48/LastChar 50/Widths[9000 9000 9000]>>>>>>',
    }),
    INVALID,
  ),
  ...(
    [
      ['no width', '0', INVALID],
      ['a narrow width', '100', INVALID],
      ['a wide width', '2000', INVALID],
      ['the width of a narrow font', '456', valid('FORM_FILLING')],
    ] as const
  ).flatMap(([name, width, answer]) =>
    [VALUE, VALUE.replace('(2000) Tj', '[(2)(0)(0)(0)] TJ')].map((content, at) =>
      afterSignature(
        `a value whose zeros have ${name}${at === 0 ? '' : ', one by one'}`,
        filled(content, {
          entries: `/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/FirstChar 48/LastChar 50/Widths[${width} 556 556]>>>>>>`,
        }),
        answer,
      ),
    ),
  ),
  ...(
    [
      ['no width, by other codes', '/eight/zero', '556 0', INVALID],
      ['a width, by other codes', '/eight/zero', '556 556', valid('FORM_FILLING')],
      ['hardly a width, by other codes', '/eight/zero', '556 1', INVALID],
    ] as const
  ).map(([name, differences, widths, answer]) =>
    afterSignature(
      `a value whose zeros have ${name}`,
      filled('BT /F1 8 Tf 2 2 Td (!""") Tj ET', {
        value: '8000',
        entries: `/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[33${differences}]>>/FirstChar 33/LastChar 34/Widths[${widths}]>>>>>>`,
      }),
      answer,
    ),
  ),
  afterSignature(
    'a value with a point that has the code of a letter',
    filled('BT /F1 8 Tf 2 2 Td (20A50) Tj ET', {
      value: '20.50',
      entries: `/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/period]>>/FirstChar 48/LastChar 65/Widths[${'556 '.repeat(17)}278]>>>>>>`,
    }),
    valid('FORM_FILLING'),
  ),
  ...(
    [
      ['no width', '0', INVALID],
      ['hardly a width', '1', INVALID],
    ] as const
  ).map(([name, width, answer]) =>
    afterSignature(
      `a value in signed letters of the form, whose zeros have ${name}`,
      filled('BT /F2 8 Tf 2 2 Td (8000) Tj ET', {
        value: '8000',
        entries: '/Resources<</Font<</F2 39 0 R>>>>',
      }),
      answer,
      {
        changes: () => ({
          ...SHARED_LETTERS,
          31: '/WinAnsiEncoding',
          39: `<</Type/Font/Subtype/TrueType/BaseFont/Deed/FirstChar 48/LastChar 56/Widths[${width} ${'556 '.repeat(8)}]/FontDescriptor 30 0 R/Encoding/WinAnsiEncoding>>`,
        }),
      },
    ),
  ),
  afterSignature(
    'a value in letters whose width is missing',
    filled(VALUE, {
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/FirstChar 50/LastChar 50/Widths[556]/FontDescriptor<</Type/FontDescriptor/FontName/Helvetica/Flags 32/MissingWidth 556>>>>>>>>',
    }),
    INVALID,
  ),
  afterSignature(
    'a value in a look with two resources',
    filled(VALUE, {
      entries: `/Resources<</Font<</F1 ${FREE} 0 R>>>>${FONTS}`,
      more: { [FREE]: DRAWN_FONT, [FREE + 1]: drawnLetter('0 0 1 1 re f') },
    }),
    NOT_GOOD,
  ),
  afterSignature(
    'a value in a look with two fonts of one name',
    filled(VALUE, {
      entries: `/Resources<</Font<</F1 ${FREE} 0 R/F1 3 0 R>>>>`,
      more: { [FREE]: DRAWN_FONT, [FREE + 1]: drawnLetter('0 0 1 1 re f') },
    }),
    NOT_GOOD,
  ),
  afterSignature(
    'a value in a font whose letters have no names',
    filled(VALUE.replace('2000', 'ABBB'), {
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/2/0]>>>>>>>>',
    }),
    INVALID,
  ),
  ...(
    [
      ['colours of its own', VALUE, COLOURS.replace('/CS', '/DefaultGray')],
      ['a profile of colours', `/CS cs 0 sc ${VALUE}`, COLOURS],
      ['another text to be copied', `/Span<</ActualText(9999)>>BDC ${VALUE} EMC`, FONTS],
    ] as const
  ).map(([name, content, entries]) =>
    afterSignature(
      `a value with ${name}`,
      filled(content, { entries, more: { [FREE]: streamBody('x', '/N 1') } }),
      INVALID,
    ),
  ),
  afterSignature(
    'a value in a look that is no form',
    (deed) => ({
      ...filled(VALUE)(deed),
      7: drawn(VALUE).replace('/Subtype/Form', '/Subtype/Image'),
    }),
    INVALID,
  ),
  afterSignature(
    'a value in signs by another name',
    filled(VALUE, {
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/D050000L/Encoding/WinAnsiEncoding>>>>>>',
    }),
    INVALID,
  ),
  afterSignature(
    'a value with an accent, in a font that has another letter for it',
    filled(VALUE.replace('2000', 'Ju\\341rez'), { value: 'Ju\\341rez' }),
    INVALID,
  ),
  afterSignature(
    'a value with an accent, in the encoding of Windows',
    filled(VALUE.replace('2000', 'Ju\\341rez'), {
      value: 'Ju\\341rez',
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>',
    }),
    valid('FORM_FILLING'),
  ),
  afterSignature(
    'a value in an encoding for experts',
    filled(VALUE, {
      entries:
        '/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/MacExpertEncoding>>>>>>',
    }),
    INVALID,
  ),
]

/** A combo box whose codes are each the word for the other one. */
const CROSSED =
  '<</FT/Ch/Ff 131072/T(Precio)/Opt[[(1)(2)][(2)(1)][(3)(Tres)]]/V(N)/Type/Annot/Subtype/Widget/Rect[0 10 90 19]/F 4/P 10 0 R/AP<</N 7 0 R>>>>'
const chosen = (name: string, value: string, shown: string, answer: Attack['answer']) =>
  afterSignature(
    `a choice that shows ${name}`,
    () => ({ 5: CROSSED.replace('(N)', `(${value})`), 7: drawn(VALUE.replace('2000', shown)) }),
    answer,
    { changes: () => ({ 5: CROSSED.replace('(N)', '()'), 7: drawn('') }) },
  )
const choices: Attack[] = [
  chosen('the word for another option', '1', '1', INVALID),
  chosen('its word', '1', '2', valid('FORM_FILLING')),
  chosen('its code', '3', '3', valid('FORM_FILLING')),
  chosen('the word that is its value', 'Tres', 'Tres', valid('FORM_FILLING')),
]

const hexadecimal = (text: string) => Buffer.from(text, 'latin1').toString('hex')
/** A comment for readers that skip what is no digit; an unknown instruction for those that read 0 in its place. */
const HALF_HIDDEN = `${hexadecimal(VALUE)}20${'2x5x'}${hexadecimal(' 0.5 g 0 0 90 9 re f')}>`
/** A comment that ends only for readers that do not undo the prediction: each row begins with its kind. */
const predicted = (content: string) => {
  const rows = content.padEnd(Math.ceil(content.length / 40) * 40).match(/.{40}/g) ?? []
  return rows.map((row) => `\n${row}`).join('')
}

const codings: Attack[] = [
  ['hexadecimal digits and others', HALF_HIDDEN, '/Filter/ASCIIHexDecode', INVALID],
  ['hexadecimal digits', `${hexadecimal(VALUE)}>`, '/Filter/ASCIIHexDecode', valid('FORM_FILLING')],
  [
    'a prediction for one of several filters',
    deflateSync(predicted(`${`${VALUE} %`.padEnd(40, 'x')}0.5 g 0 0 90 9 re f`)).toString('latin1'),
    '/Filter[/FlateDecode]/DecodeParms<</Predictor 12/Columns 40>>',
    INVALID,
  ],
  ['a short name', `${hexadecimal(VALUE)}>`, '/Filter/AHx', INVALID],
  ['another file', VALUE, '/F(otro.txt)', INVALID],
].map(([name, data, entries, answer]) =>
  afterSignature(
    `a value whose look is coded with ${name}`,
    filled(data as string, { entries: `${FONTS}${entries}` }),
    answer as Attack['answer'],
  ),
)

const formatted = (script: string) => ({
  changes: (deed: Deed) =>
    edited(deed, 5, '/FT/Tx', `/FT/Tx/AA<</F<</S/JavaScript/JS(${script})>>>>`),
})
const formats: Attack[] = [
  afterSignature(
    'a date of another century',
    filled('BT /F1 8 Tf 2 2 Td (01/02/1926) Tj ET', { value: '01/02/2026' }),
    INVALID,
    formatted('AFDate_FormatEx\\("dd/mm/yyyy"\\);'),
  ),
  afterSignature(
    'a date with its year in short',
    filled('BT /F1 8 Tf 2 2 Td (01/02/26) Tj ET', { value: '01/02/2026' }),
    valid('FORM_FILLING'),
    formatted('AFDate_FormatEx\\("dd/mm/yy"\\);'),
  ),
  afterSignature(
    'a time of the other half of the day',
    filled('BT /F1 8 Tf 2 2 Td (10:00 pm) Tj ET', { value: '10:00 am' }),
    INVALID,
    formatted('AFTime_FormatEx\\("hh:MM tt"\\);'),
  ),
  afterSignature(
    'an amount with its sign where it could have a point',
    filled('BT /F1 8 Tf 2 2 Td (20$00) Tj ET'),
    INVALID,
    formatted('AFNumber_Format\\(0, 1, 0, 0, "$", true\\);'),
  ),
  afterSignature(
    'an amount with a minus behind it',
    filled('BT /F1 8 Tf 2 2 Td (2000-) Tj ET'),
    INVALID,
    formatted('AFNumber_Format\\(0, 1, 0, 0, "", true\\);'),
  ),
  afterSignature(
    'an amount with its sign before it',
    filled('BT /F1 8 Tf 2 2 Td ($2000) Tj ET'),
    valid('FORM_FILLING'),
    formatted('AFNumber_Format\\(0, 1, 0, 0, "$", true\\);'),
  ),
]

const boxes: Attack[] = [
  afterSignature(
    'a box without looks that gets one for all its states',
    (deed) => ({
      14: deed.bodies[14]!.replace('/V/Off', `/V/Si/AS/Si/AP<</N ${FREE} 0 R>>`),
      [FREE]: drawn('BT /F1 8 Tf 2 2 Td (Renuncio) Tj ET'),
    }),
    INVALID,
    { changes: (deed) => ({ 14: deed.bodies[14]!.replace(/\/AS.*/, '>>') }) },
  ),
  afterSignature(
    'a box whose only look changes',
    (deed) => ({
      14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
      16: drawn('BT /F1 8 Tf 2 2 Td (Renuncio) Tj ET'),
    }),
    INVALID,
    {
      changes: (deed) => ({
        14: deed.bodies[14]!.replace('/N<</Si 15 0 R/Off 16 0 R>>', '/N 16 0 R'),
      }),
    },
  ),
  afterSignature(
    'a box that is ticked, with a sign that is drawn',
    (deed) => ({
      14: deed.bodies[14]!.replace('/V/Off/AS/Off', '/V/Si/AS/Si'),
      15: drawn('BT /F1 1 Tf (0) Tj ET', `/Resources<</Font<</F1 ${FREE} 0 R>>>>`),
      [FREE]: DRAWN_FONT,
      [FREE + 1]: drawnLetter('0 0 90 9 re f'),
    }),
    INVALID,
  ),
]

/** A later signature with a look over the text of page 1, which begins at 30 150 and is 24 points high. */
const over = (
  name: string,
  content: string,
  answer: Attack['answer'],
  {
    page = undefined as string | undefined,
    signed = (() => ({})) as NonNullable<Signing['changes']>,
    more = {} as Bodies,
    resources = '',
    rectangle = '[20 140 200 190]',
    entries = '',
  } = {},
): Attack => ({
  name: `a later signature over the text, with ${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, {
      entries,
      changes: (signing) => ({
        ...signed(signing),
        ...(page !== undefined && { 11: streamBody(page) }),
      }),
    })
    const look = streamBody(
      content,
      `/Type/XObject/Subtype/Form/BBox[0 0 180 50]/Resources<</Font<</F1 3 0 R/F2 39 0 R/T3 ${FREE + 1} 0 R>>${resources}>>`,
    )
    const withLook = revised(deed, { [FREE]: look, [FREE + 1]: DRAWN_FONT, ...more })
    const field = `/AP<</N ${FREE} 0 R>>`
    return (await signDeed(withLook, { number: 70, rectangle, field })).file
  },
  answer,
})

const rows = (draw: (y: number) => string, step: number) =>
  Array.from({ length: Math.ceil(50 / step) }, (_, at) => draw(at * step)).join(' ')

const OWN_LETTERS: Bodies = {
  [FREE + 1]:
    `<</Type/Font/Subtype/TrueType/BaseFont/Own/Encoding/WinAnsiEncoding/FontDescriptor ${FREE + 2} 0 R>>`,
  [FREE + 2]: `<</Type/FontDescriptor/FontName/Own/Flags 32/FontFile2 ${FREE + 3} 0 R>>`,
  [FREE + 3]: streamBody('a letter as large as the page'),
}

/** A font of which it is known how far its letters reach. */
const FONT = fontWith('1', 2000).program
const USUAL_LETTERS: Bodies = { 33: streamBody(FONT, `/Length1 ${FONT.length}`) }
/** The embedded font of the deed is one of its form. */
const SHARED_LETTERS: Bodies = {
  ...USUAL_LETTERS,
  8: '<</Fields[5 0 R 6 0 R 14 0 R 17 0 R 34 0 R]/SigFlags 3/DA(/F1 0 Tf)/DR<</Font<</F1 3 0 R/F2 39 0 R>>>>>>',
}
/** The font of the deed once more, with these letters. */
const withLetters = (letters: string): Bodies => ({
  [FREE + 1]:
    `<</Type/Font/Subtype/TrueType/BaseFont/Deed/FontDescriptor ${FREE + 2} 0 R/Encoding 31 0 R/ToUnicode 32 0 R>>`,
  [FREE + 2]: `<</Type/FontDescriptor/FontName/Deed/Flags 32/FontFile2 ${FREE + 3} 0 R>>`,
  [FREE + 3]: streamBody(letters, `/Length1 ${letters.length}`),
})

const DOUBTFUL: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  says: 'signature-may-cover-content',
}

const covers: Attack[] = [
  over('operands too many', '1 g 9 0 0 180 50 re f', INVALID),
  over('operands of another type', '1 g /x 0 0 180 50 re f', INVALID),
  over('a number that readers repair', '1 g 0 0 1-80 50 re f', INVALID),
  over('a drawn letter', '1 g BT /T3 180 Tf (0) Tj ET', INVALID),
  over('turned giant letters', '1 g BT /F1 1 Tf 0 90 -90 0 90 0 Tm (MMM) Tj ET', INVALID),
  over('stretched letters', '1 g BT /F1 30 Tf 3000 Tz 0 10 Td (l) Tj ET', INVALID),
  over('wide outlines', '1 G 60 w BT /F1 8 Tf 1 Tr 9 20 Td (MMMMMMM) Tj ET', INVALID),
  over(
    'white letters',
    `1 g BT /F1 30 Tf ${Array.from({ length: 12 }, () => '1 2 Td (MMMMMM) Tj').join(' ')} ET`,
    INVALID,
  ),
  over('pale letters', '.8 g BT /F1 9 Tf -30 8 Td (Firmado por Ana) Tj ET', INVALID),
  over('pale lines', '.65 G 1 w 12 12 m 12 40 l 20 12 m 20 40 l S', INVALID),
  over('gray letters', '.3 g BT /F1 9 Tf -30 8 Td (Firmado por Ana) Tj ET', valid()),
  over('white lines', `1 G 3 w ${rows((y) => `0 ${y} m 180 ${y} l S`, 2)}`, INVALID),
  over('white strips', `1 g ${rows((y) => `0 ${y} 180 1.9 re f`, 1.9)}`, INVALID),
  over('many dark lines', `3 w ${rows((y) => `0 ${y} m 180 ${y} l S`, 2)}`, INVALID),
  over('many dark letters', `BT /F1 30 Tf ${rows(() => '1 2 Td (MMMMMM) Tj', 3)} ET`, INVALID),
  over('letters of its own', 'BT /T3 9 Tf (000) Tj ET', DOUBTFUL, {
    more: OWN_LETTERS,
  }),
  over(
    'letters of its own, on a document certified for notes',
    'BT /T3 9 Tf (000) Tj ET',
    DOUBTFUL,
    {
      more: OWN_LETTERS,
      entries: certifying(3),
    },
  ),
  over('letters of its own by the name of signed ones', 'BT /T3 9 Tf (211) Tj ET', DOUBTFUL, {
    signed: () => SHARED_LETTERS,
    more: withLetters(FONT.replace('glyf', 'none')),
  }),
  over('signed letters that are written once more', 'BT /T3 9 Tf (211) Tj ET', valid(), {
    signed: () => SHARED_LETTERS,
    more: withLetters(FONT),
  }),
  over('letters that were signed', 'BT /F2 9 Tf (211) Tj ET', valid(), {
    signed: () => USUAL_LETTERS,
  }),
  over('another digit', 'BT /F1 24 Tf 71 10 Td (4) Tj ET', DOUBTFUL),
  over(
    'another digit among words',
    'BT /F1 9 Tf 5 42 Td (Ana) Tj /F1 24 Tf 66 -32 Td (4) Tj ET',
    DOUBTFUL,
  ),
  over('a digit beside its text', 'BT /F1 24 Tf 110 10 Td (4) Tj ET', valid()),
  over('words', 'BT /F1 9 Tf 5 30 Td (Firmado por Ana) Tj 0 -12 Td (Notaria 12) Tj ET', valid()),
  over('a frame and words', '0.5 w 1 1 178 48 re S BT /F1 9 Tf 5 30 Td (Ana) Tj ET', valid()),
  over('an area over two digits of a field', '1 g 0 5 10 12 re f', INVALID, {
    rectangle: '[0 5 180 55]',
  }),
  over('an area beside the digits of a field', '1 g 60 5 10 12 re f', valid(), {
    rectangle: '[0 5 180 55]',
  }),
  over('an area over a minus', '1 g 0 5 100 30 re f', INVALID, {
    page: 'BT /F1 24 Tf 30 150 Td (-) Tj ET',
  }),
  over('an area over the border of a link', '1 g 40 0 10 10 re f', INVALID, {
    rectangle: '[0 5 180 55]',
  }),
  over('a picture over the border of a link', 'q 9 0 0 9 40 0 cm /Im Do Q', INVALID, {
    rectangle: '[0 5 180 55]',
    resources: '/XObject<</Im 18 0 R>>',
  }),
  ...['/Border[0 0 0]', '/BS<</W 0>>'].map((border) =>
    over(`an area over the edge of a link with ${border}`, '1 g 40 0 10 10 re f', valid(), {
      rectangle: '[0 5 180 55]',
      signed: (deed) => edited(deed, 19, '/Link', `/Link${border}`),
    }),
  ),
  over('an area over words of lines', '1 g 0 5 100 30 re f', INVALID, {
    page: '1 w 30 150 m 30 170 l 40 160 l 50 170 l 50 150 l S',
  }),
]
/** A note on page 1 of a document that is certified for notes. */
const noted = (name: string, rectangle: string, answer: Attack['answer']) =>
  afterSignature(
    `a note ${name}`,
    (deed) => ({
      ...edited(deed, 10, ']/Contents', ` ${FREE} 0 R]/Contents`),
      [FREE]: `<</Type/Annot/Subtype/Text/Rect${rectangle}/Contents(x)/AP<</N ${FREE + 1} 0 R>>>>`,
      [FREE + 1]: streamBody(
        '1 g 0 0 30 30 re f',
        '/Type/XObject/Subtype/Form/BBox[0 0 30 30]/Resources<<>>',
      ),
    }),
    answer,
    { entries: certifying(3) },
  )
const notes: Attack[] = [
  noted('over the text', '[30 150 60 180]', INVALID),
  noted('beside the text', '[200 220 230 250]', valid('ANNOTATIONS')),
]

export const MISREAD_LOOKS: readonly Family[] = [
  { name: 'values that are misread', attacks: [...texts, ...choices] },
  { name: 'grounds of values', attacks: grounds },
  { name: 'letters of values', attacks: fonts },
  { name: 'codings of looks', attacks: codings },
  { name: 'formats of values', attacks: formats },
  { name: 'boxes that are misread', attacks: boxes },
  { name: 'notes over what was signed', attacks: notes },
  { name: 'signatures that are misread', attacks: covers },
]
