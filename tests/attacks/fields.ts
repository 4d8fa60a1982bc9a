import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, INVALID, MODIFIED } from './attack.ts'
import { COVER, type Deed, edited, FORM_XOBJECT, FREE, look } from './deed.ts'
import { afterSignature, inEverySetting } from './settings.ts'
import { certifying, locking } from './sign-deed.ts'

/* Form fields: changes that go beyond or fall short of filling one in. */

/** Both of several pieces replaced. */
const fill = (deed: Deed, value = '2000'): Bodies => ({
  ...edited(deed, 5, '(1000)', `(${value})`),
  7: look(value),
})
const both = (deed: Deed, number: number, ...pieces: [string, string][]): Bodies =>
  pieces.reduce<Bodies>((bodies, [from, to]) => edited({ ...deed, bodies }, number, from, to), {
    [number]: deed.bodies[number]!,
  })

const tricks: [string, (deed: Deed) => Bodies][] = [
  ['renamed', (deed) => edited(deed, 5, '(Precio)', '(Costo)')],
  [
    'renamed and filled',
    (deed) => ({
      ...both(deed, 5, ['(Precio)', '(Costo)'], ['(1000)', '(2000)']),
      7: look('2000'),
    }),
  ],
  ['of another kind', (deed) => edited(deed, 5, '/FT/Tx', '/FT/Ch')],
  ['with a parent', (deed) => edited(deed, 5, '/T(Precio)', '/T(Precio)/Parent 34 0 R')],
  [
    'under another parent',
    (deed) => ({
      ...edited(deed, 35, '/Parent 34 0 R', `/Parent ${FREE} 0 R`),
      [FREE]: '<</FT/Tx/T(Otro)/Kids[35 0 R]>>',
    }),
  ],
  ['out of its parent', (deed) => edited(deed, 34, '35 0 R 36 0 R', '36 0 R')],
  [
    'in another order under its parent',
    (deed) => edited(deed, 34, '35 0 R 36 0 R', '36 0 R 35 0 R'),
  ],
  ['moved', (deed) => edited(deed, 5, '[0 10 90 19]', '[0 200 90 209]')],
  [
    'enlarged and filled',
    (deed) => ({
      ...both(deed, 5, ['[0 10 90 19]', '[0 0 300 300]'], ['(1000)', '(2000)']),
      7: COVER,
    }),
  ],
  ['hidden', (deed) => edited(deed, 5, '/F 4', '/F 2')],
  ['no longer printed', (deed) => edited(deed, 5, '/F 4', '/F 0')],
  ['read only', (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/Ff 1')],
  ['multiline', (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/Ff 4096')],
  ['with a script', (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/AA<</F<</S/JavaScript/JS(1)>>>>')],
  [
    'with an action',
    (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/A<</S/URI/URI(https://otro.example)>>'),
  ],
  ['in a layer', (deed) => edited(deed, 5, '/FT/Tx', '/FT/Tx/OC 23 0 R')],
  ['with another default', (deed) => edited(deed, 5, '/V(1000)', '/V(1000)/DV(9)')],
  ['with a background', (deed) => edited(deed, 5, '/F 4', '/F 4/MK<</BG[1 1 1]>>')],
  [
    'with a wide border and filled',
    (deed) => ({ ...both(deed, 5, ['(1000)', '(2000)/BS<</W 90>>']), 7: look('2000') }),
  ],
  [
    'with a description and filled',
    (deed) => ({ ...both(deed, 5, ['(1000)', '(2000)/TU(Descuento)']), 7: look('2000') }),
  ],
  [
    'with another name for people',
    (deed) => edited(deed, 5, '/T(Precio)', '/T(Precio)/TU(Descuento)'),
  ],
  ['removed', (deed) => edited(deed, 8, '5 0 R ', '')],
  ['removed from the page', (deed) => edited(deed, 10, '[5 0 R', '[')],
  ['twice on the page', (deed) => edited(deed, 10, '[5 0 R', '[5 0 R 5 0 R')],
  ['on another page', (deed) => ({ ...edited(deed, 12, '/Contents', '/Annots[5 0 R]/Contents') })],
  ['no dictionary any more', () => ({ 5: '(1000)' })],
  ['freed by null', () => ({ 5: 'null' })],
  [
    'and a new one beside it',
    (deed) => ({ ...edited(deed, 8, '[5', `[${FREE} 0 R 5`), [FREE]: '<</FT/Tx/T(Nuevo)/V(1)>>' }),
  ],
  [
    'and a new one with its name',
    (deed) => ({
      ...edited(deed, 8, '[5', `[${FREE} 0 R 5`),
      [FREE]: '<</FT/Tx/T(Precio)/V(2000)>>',
    }),
  ],
  [
    'shown by another object, with another value',
    (deed) => ({
      ...edited(deed, 8, '[5 0 R', `[${FREE} 0 R`),
      [FREE]: deed.bodies[5]!.replace('(1000)', '(2000)'),
    }),
  ],
  [
    'of a choice that never was',
    (deed) => edited(deed, 17, '(Jalisco)(Sonora)', '(Jalisco)(Sonora)(Colima)'),
  ],
  ['of a choice with other words', (deed) => edited(deed, 17, '(Sonora)', '(Sinaloa)')],
  [
    'of a form that draws anew',
    (deed) => edited(deed, 8, '/SigFlags 3', '/NeedAppearances true/SigFlags 3'),
  ],
  ['of a form with another font', (deed) => edited(deed, 8, '/F1 0 Tf', '/F1 1 Tf')],
  ['computed in another order', (deed) => edited(deed, 8, '/SigFlags', '/CO[5 0 R]/SigFlags')],
  ['of a signature that is emptied', (deed) => edited(deed, 40, '/V 41 0 R', '')],
  ['of a signature that becomes a text', (deed) => edited(deed, 40, '/FT/Sig', '/FT/Tx')],
]

/** The value and the appearance differ: a reader shows text that was never signed. */
const disagreeing: [string, (deed: Deed) => Bodies][] = [
  ['a new look, the old value', () => ({ 7: look('2000') })],
  [
    'a new look without any value',
    (deed) => ({ ...edited(deed, 5, '/V(1000)', ''), 7: look('2000') }),
  ],
  [
    'a new value, a look that covers the page',
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: COVER }),
  ],
  [
    'a new value, a look that says something else',
    (deed) => ({ ...edited(deed, 5, '(1000)', '(2000)'), 7: look('Renuncio a todo') }),
  ],
]

/** A new value, together with content that hides the page below the field. */
const area = (text: string) =>
  streamBody(
    `1 g 0 0 300 300 re f 0 g BT /F1 12 Tf (${text}) Tj ET`,
    `${FORM_XOBJECT}/Resources<</Font<</F1 3 0 R>>>>`,
  )
const written = (content: string, resources = '') =>
  streamBody(content, `${FORM_XOBJECT}/Resources<</Font<</F1 3 0 R>>${resources}>>`)
const VALUE = 'BT /F1 12 Tf (2000) Tj ET'
const drawnLetters = `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 48/LastChar 50/Widths[1 1 1]/CharProcs<</zero ${FREE + 1} 0 R>>/Encoding<</Differences[48/zero/one/two]>>>>`
const hiding: [string, Bodies][] = [
  ['an area', { 7: area('2000') }],
  ['a picture', { 7: written(`/Im Do ${VALUE}`, '/XObject<</Im 18 0 R>>') }],
  ['a picture of its own', { 7: written(`${VALUE} BI /W 1 /H 1 /CS /G /BPC 8 ID x EI`) }],
  ['a pattern', { 7: written(`/Pattern cs /P scn 0 0 300 300 re f ${VALUE}`) }],
  ['instructions that break off', { 7: written(`${VALUE} (`) }],
  [
    'letters that are drawn',
    {
      7: streamBody(VALUE, `${FORM_XOBJECT}/Resources<</Font<</F1 ${FREE} 0 R>>>>`),
      [FREE]: drawnLetters,
      [FREE + 1]: streamBody('9 0 0 0 9 9 d1 0 0 300 300 re f'),
    },
  ],
]
const large = (deed: Deed) => edited(deed, 5, '[0 10 90 19]', '[0 0 300 300]')
const drawnByReaders = (deed: Deed) => ({
  ...large(deed),
  ...edited(deed, 8, '/SigFlags 3', '/NeedAppearances true/SigFlags 3'),
})
const hidden: Attack[] = hiding.flatMap(([name, more]) => {
  const change = (deed: Deed): Bodies => ({ ...edited(deed, 5, '(1000)', '(2000)'), ...more })
  return [
    ...inEverySetting(`a new value and ${name}`, change, INVALID, { changes: large }),
    afterSignature(`a new value and ${name}, drawn by readers`, change, INVALID, {
      changes: drawnByReaders,
    }),
  ]
})

/** Ticking a box selects one of its two signed appearances, or a new one: a sign in a box. */
const ticked = (deed: Deed) => both(deed, 14, ['/V/Off', '/V/Si'], ['/AS/Off', '/AS/Si'])
const boxes: Attack[] = [
  ...inEverySetting(
    'a box that is ticked, and its looks change places',
    (deed) => ({ ...ticked(deed), 15: look(''), 16: look('x') }),
    INVALID,
  ),
  ...[
    ['nothing in it', look('')],
    ['a sentence', look('Renuncio a todo')],
    ['the word No', look('No')],
    ...['Symbol', 'Helvetica-Ornament', 'ArialSymbolMT'].map((font) => [
      `the word No in the font ${font}`,
      look('No', 'ZaDb').replace('ZapfDingbats', font),
    ]),
    ['an area', area('4')],
    ['a picture', written('/Im Do', '/XObject<</Im 18 0 R>>')],
    ['instructions that break off', written('BT /F1 9 Tf (4) Tj ET (')],
  ].flatMap(([name, body]) =>
    inEverySetting(
      `a box that is ticked, and drawn anew with ${name}`,
      (deed) => ({ ...ticked(deed), 15: body! }),
      INVALID,
    ),
  ),
  ...inEverySetting(
    'a box that is not ticked, and drawn as if it were',
    (deed) => ({ ...both(deed, 14, ['/V/Off', '/V/Off/M(D:2027)']), 16: look('x') }),
    INVALID,
  ),
  ...inEverySetting(
    'a box with a third state',
    (deed) => ({
      ...both(
        deed,
        14,
        ['/V/Off', '/V/Otro'],
        ['/AS/Off', '/AS/Otro'],
        ['/N<<', `/N<</Otro ${FREE} 0 R`],
      ),
      [FREE]: look('Renuncio a todo'),
    }),
    INVALID,
  ),
  ...inEverySetting('a box below which a sentence lay hidden', ticked, INVALID, {
    changes: () => ({ 15: look('Renuncio a todo') }),
  }),
  ...inEverySetting('a box as large as the page, which hides it when ticked', ticked, INVALID, {
    changes: (deed) => ({ ...edited(deed, 14, '[0 30 90 39]', '[0 0 300 300]'), 15: COVER }),
  }),
  ...inEverySetting(
    'a box without looks that gets one',
    (deed) => ({
      14: deed.bodies[14]!.replace('/V/Off', `/V/Si/AS/Si/AP<</N<</Si ${FREE} 0 R>>>>`),
      [FREE]: COVER,
    }),
    INVALID,
    { changes: (deed) => ({ 14: deed.bodies[14]!.replace(/\/AS.*/, '>>') }) },
  ),
]

const LOCKS: [string, string][] = [
  ['all', locking('All')],
  ['this one', locking('Include', 'Precio')],
  ['this and others', locking('Include', 'Estado', 'Precio')],
  ['all but others', locking('Exclude', 'Estado')],
  ['all but nothing', locking('Exclude')],
]
const FREED: [string, string][] = [
  ['others', locking('Include', 'Estado')],
  ['all but this one', locking('Exclude', 'Precio')],
  ['nothing', locking('Include')],
]
const kids = (deed: Deed): Bodies => ({
  ...edited(deed, 35, '(Hidalgo 1)', '(Reforma 2)'),
  37: look('Reforma 2'),
})

const locks: Attack[] = [
  ...LOCKS.flatMap(([name, entries]) =>
    inEverySetting(`filled, although the signature locks ${name}`, (deed) => fill(deed), INVALID, {
      entries,
    }),
  ),
  ...FREED.flatMap(([name, entries]) =>
    inEverySetting(
      `filled, the signature locks ${name}`,
      (deed) => fill(deed),
      { verdict: ['VALID'], modification: ['FORM_FILLING'] },
      { entries },
    ),
  ),
  afterSignature('a line, although its whole is locked', kids, INVALID, {
    entries: locking('Include', 'Domicilio'),
  }),
  afterSignature('a line, although it is locked', kids, INVALID, {
    entries: locking('Include', 'Domicilio.calle'),
  }),
  afterSignature(
    'a line, and another is locked',
    kids,
    { verdict: ['VALID'] },
    { entries: locking('Include', 'Domicilio.ciudad') },
  ),
  afterSignature(
    'a line, and a whole with a similar name is locked',
    kids,
    { verdict: ['VALID'] },
    { entries: locking('Include', 'Domi') },
  ),
  ...LOCKS.map(([name, entries]) => {
    const [, action, fields] = /\/Action\/(\w+)\/Fields(\[.*?\])/.exec(entries)!
    return afterSignature(
      `filled, although the field of the signature locks ${name}`,
      (deed) => fill(deed),
      INVALID,
      { field: `/Lock<</Type/SigFieldLock/Action/${action}/Fields${fields}>>` },
    )
  }),
  ...([1, 2, 3] as const).map((level) =>
    afterSignature(
      `filled, although the field allows changes up to ${level}`,
      (deed) => fill(deed),
      level === 1 ? INVALID : { verdict: ['VALID'] },
      { field: `/Lock<</Type/SigFieldLock/Action/Include/Fields[(Estado)]/P ${level}>>` },
    ),
  ),
]

const permissions: Attack[] = [
  ...inEverySetting('filled, certified 1', (deed) => fill(deed), INVALID, {
    entries: certifying(1),
  }),
  ...inEverySetting(
    'filled, certified 2',
    (deed) => fill(deed),
    { verdict: ['VALID'], modification: ['FORM_FILLING'] },
    { entries: certifying(2) },
  ),
  ...inEverySetting(
    'filled, certified 3',
    (deed) => fill(deed),
    { verdict: ['VALID'], modification: ['FORM_FILLING'] },
    { entries: certifying(3) },
  ),
  ...([1, 2, 3] as const).flatMap((level) => [
    ...inEverySetting(
      `a page replaced, certified ${level}`,
      () => ({ 11: look('otra') }),
      MODIFIED,
      { entries: certifying(level) },
    ),
    ...inEverySetting(
      `a page added, certified ${level}`,
      (deed) => edited(deed, 2, '[10', '[51 0 R 10'),
      MODIFIED,
      { entries: certifying(level) },
    ),
    ...inEverySetting(
      `a field renamed, certified ${level}`,
      (deed) => edited(deed, 5, '(Precio)', '(Costo)'),
      MODIFIED,
      { entries: certifying(level) },
    ),
    afterSignature(
      `the certification weakened, certified ${level}`,
      () => ({
        41: '<</Type/Sig/Reference[<</TransformMethod/DocMDP/TransformParams<</P 3>>>>]>>',
      }),
      { verdict: ['INVALID', 'INDETERMINATE'] },
      { entries: certifying(level) },
    ),
  ]),
]

export const FIELDS: readonly Family[] = [
  {
    name: 'tricks with fields',
    attacks: tricks.flatMap(([name, change]) => inEverySetting(`a field ${name}`, change, INVALID)),
  },
  {
    name: 'values and looks',
    attacks: [
      ...disagreeing.flatMap(([name, change]) => inEverySetting(name, change, INVALID)),
      ...hidden,
      ...boxes,
    ],
  },
  { name: 'locked fields', attacks: locks },
  { name: 'certified documents', attacks: permissions },
]
