import { streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { FREE } from './deed.ts'
import { beside, type LookMutation, typeOne, wrap } from './mutated-looks.ts'

const [INNER, TABLE] = [FREE + 30, FREE + 31]

const differing = (differences: string) =>
  typeOne(`/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[${differences}]>>`)

/** What makes a look say something else than its text, or nothing; some values of each do neither. */
export const LYING_LOOKS: readonly LookMutation[] = [
  [
    'matrix',
    (look, random) =>
      (look.entries += `/Matrix[${random.pick(['2 0 0 2 0 0', '1 0 0 1 20 0', '1 0 0 1 0 40', '-1 0 0 1 90 0', '-1 0 0 -1 90 9', '0 1 -1 0 9 0', '.1 0 0 .1 0 0', '1 .2 0 1 0 0', '1 0 0 0 0 0'])}]`),
  ],
  [
    'bounding box',
    (look, random) =>
      (look.box = random.pick([
        '0 0 30 3',
        '0 0 900 90',
        '0 0 9 9',
        '40 0 90 9',
        '0 0 0 0',
        '90 9 0 0',
        '0 -9 90 0',
        '-90 0 90 9',
        '0 0 90 4',
      ])),
  ],
  [
    'rendering',
    (look, random) => (look.setting += `${random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, -1])} Tr `),
  ],
  [
    'scale',
    (look, random) => (look.setting += `${random.pick([1, 10, 50, 100, 120, 300, -100, 0])} Tz `),
  ],
  ['rise', (look, random) => (look.setting += `${random.pick([0, 1, 3, 8, -8, 40])} Ts `)],
  [
    'spaces between letters',
    (look, random) => (look.setting += `${random.pick([0, 0.1, 1, -2, -4, 9, 30])} Tc `),
  ],
  [
    'place of the text',
    (look, random) =>
      (look.place = [random.pick([-30, -3, 40, 70, 88, 200]), random.pick([2, -6, 8, 30])]),
  ],
  [
    'matrix of the text',
    (look, random) =>
      (look.setting += `${random.pick(['500 0 0 500 0 0', '.2 0 0 .2 0 0', '-1 0 0 1 60 0', '1 0 0 -1 0 8', '0 1 -1 0 20 0', '1 0 .5 1 0 0'])} Tm `),
  ],
  ['size', (look, random) => (look.size = random.pick([0, 0.5, 1, 2, 4, 12, 20, 60, 500, -8]))],
  [
    'colour',
    (look, random) =>
      (look.setting += `${random.pick(['1 g', '0.99 g', '0.8 g', '0.5 g', '1 1 1 rg', '1 1 0 rg', '0 0 0 0 k', '/Pattern cs /P scn', '/Own cs 1 scn'])} `),
  ],
  [
    'clip',
    (look, random) =>
      wrap(
        look,
        `q ${random.pick(['0 0 7 9', '0 0 0 0', '20 0 70 9', '0 4 90 1', '0 0 90 9'])} re ${random.pick(['W', 'W*'])} n `,
        ' Q',
      ),
  ],
  ['text as a clip', (look) => wrap(look, 'q 7 Tr ', ' 0 0 90 9 re f Q')],
  [
    'outlines',
    (look, random) =>
      (look.setting += `${random.pick([1, 2, 5])} Tr ${random.pick([0, 0.1, 0.5, 2, 60])} w ${random.pick(['0 G', '1 G', '0.5 G'])} `),
  ],
  [
    'wide line',
    (look, random) =>
      beside(
        look,
        random,
        `${random.pick(['0 G', '1 G'])} ${random.pick([1, 2, 9, 60])} w 0 5 m ${random.pick([1, 5, 20, 90])} 5 l S `,
      ),
  ],
  [
    'rectangle',
    (look, random) =>
      beside(
        look,
        random,
        `${random.pick(['0 g', '1 g', '0.9 g'])} ${random.pick(['0 0 90 9', '2 2 4 6', '2 4 5 1', '40 1 2 7', '-50 -50 20 20', '0 -30 90 9', '60 3 1 1'])} re f 0 g `,
      ),
  ],
  [
    'picture',
    (look, random) => {
      look.resources += '/XObject<</Im 18 0 R>>'
      beside(
        look,
        random,
        `q ${random.pick(['90 0 0 9 0 0', '5 0 0 7 2 1', '5 0 0 7 50 1', '30 0 0 30 0 90'])} cm /Im Do Q `,
      )
    },
  ],
  [
    'picture of its own',
    (look, random) =>
      beside(
        look,
        random,
        `q ${random.pick([5, 20, 90])} 0 0 8 2 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x10 EI Q `,
      ),
  ],
  [
    'nested look',
    (look, random) => {
      look.resources += `/XObject<</Fm ${INNER} 0 R>>`
      const content = random.pick([
        `BT /F1 8 Tf 2 2 Td (${look.text}) Tj ET`,
        'BT /F1 8 Tf 2 2 Td (9) Tj ET',
        '1 g 0 0 90 9 re f',
        '',
      ])
      const matrix = random.pick(['', '', '/Matrix[1 0 0 1 30 0]', '/Matrix[9 0 0 9 0 0]'])
      const font = random.pick([
        '',
        `/Resources<</Font<</F1 ${typeOne('/BaseFont/Symbol')}>>>>`,
        '/Resources<</Font<</F1 3 0 R>>>>',
      ])
      look.bodies[INNER] = streamBody(
        content,
        `/Type/XObject/Subtype/Form/BBox[0 0 90 9]${matrix}${font}`,
      )
      if (random.below(2) === 0) look.showing = ''
      beside(look, random, '/Fm Do ')
    },
  ],
  [
    'font',
    (look, random) => {
      look.font = random.pick([
        typeOne('/BaseFont/Symbol'),
        typeOne('/BaseFont/ZapfDingbats'),
        typeOne('/BaseFont/Courier'),
        typeOne('/BaseFont/Unknown'),
        typeOne('/BaseFont/Helvetica/FirstChar 48/Widths[0 0 0]'),
        typeOne(
          '/BaseFont/Helvetica/FirstChar 48/LastChar 57/Widths[556 556 556 556 556 556 556 556 556 556]',
        ),
        '39 0 R',
        '<</Type/Font/Subtype/Type0/BaseFont/Helvetica/Encoding/Identity-H/DescendantFonts[3 0 R]>>',
        '97 0 R',
      ])
    },
  ],
  [
    'encoding',
    (look, random) =>
      (look.font = differing(
        random.pick([
          '48/nine/eight/seven',
          '48/zero/one/two',
          '65/a/b/c',
          '97/B',
          '48/.notdef',
          '49/space',
          '48/g48/g49',
          '50/uni0039',
          '48/Zero',
        ]),
      )),
  ],
  [
    'encoding that is named',
    (look, random) =>
      (look.font = typeOne(
        `/BaseFont/Helvetica/Encoding/${random.pick(['WinAnsiEncoding', 'MacRomanEncoding', 'StandardEncoding', 'MacExpertEncoding', 'Identity-H', 'Own'])}`,
      )),
  ],
  [
    'table of letters',
    (look, random) => {
      look.font = typeOne(`/BaseFont/Helvetica/ToUnicode ${TABLE} 0 R`)
      look.bodies[TABLE] = streamBody(
        random.pick([
          '1 beginbfrange <00> <fe> <0001> endbfrange',
          '1 beginbfrange <00> <fe> <0000> endbfrange',
          '1 beginbfchar <31> <0039> endbfchar',
          'nada',
        ]),
      )
      if (random.below(2) === 0)
        look.text = [...look.text]
          .map((one) => String.fromCharCode(one.charCodeAt(0) - 1))
          .join('')
          .replace(/[()\\]/g, '.')
    },
  ],
  [
    'other text',
    (look, random) =>
      (look.text = random.pick([
        '9999',
        '',
        `${look.text}9`,
        look.text.slice(1),
        `${look.text} mil`,
        `-${look.text}`,
        `${look.text}.00`,
        [...look.text].reverse().join(''),
        `${look.text}\\000`,
        `${look.text}\\255`,
        `${look.text}\\240`,
        ` ${look.text} `,
      ])),
  ],
  [
    'graphics state',
    (look, random) => {
      const state = random.pick([
        '/ca 0',
        '/ca .5',
        '/ca 1',
        '/CA 0',
        '/BM/Multiply',
        '/BM/Difference',
        '/BM/Screen',
        '/BM[/Own/Normal]',
        '/SMask/None',
        '/Font[3 0 R 60]',
        '/LW 60',
        '/TK true',
        '/OP true/op true',
        `/SMask<</S/Alpha/G ${INNER} 0 R>>`,
      ])
      look.bodies[INNER] ??= streamBody(
        '',
        '/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Group<</S/Transparency>>',
      )
      look.resources += `/ExtGState<</G<<${state}>>>>`
      if (random.below(2) === 0) look.before += '/G gs '
      else look.setting += '/G gs '
    },
  ],
  [
    'group',
    (look, random) =>
      (look.entries += `/Group<</S/Transparency${random.pick(['', '/I true', '/K true', '/CS/DeviceGray'])}>>`),
  ],
  [
    'optional content',
    (look, random) => {
      look.resources += '/Properties<</Capa 23 0 R>>'
      if (random.below(2) === 0) wrap(look, '/OC /Capa BDC ', ' EMC')
      else look.entries += '/OC 23 0 R'
    },
  ],
  [
    'text in a comment',
    (look, random) => (look.showing = `${random.pick(['', '(9) Tj '])}%(\n(${look.text}) Tj`),
  ],
  ['replaced text', (look) => wrap(look, `/Span<</ActualText(${look.text})>>BDC `, ' EMC')],
  [
    'crooked instruction',
    (look, random) =>
      (look.setting += random.pick([
        'BT ',
        'q ',
        'Q ',
        'ET ',
        '/F9 8 Tf ',
        '1 0 0 Td ',
        '2 Tj ',
        "(9) ' ",
        '1 1 (9) " ',
        'BX own EX ',
        'T* ',
        '5 TL T* ',
      ])),
  ],
]
