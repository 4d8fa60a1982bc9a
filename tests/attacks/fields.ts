import type { Bodies } from '#tests/support/pdf-builders.ts'
import { type Attack, type Family, INVALID, MODIFIED } from './attack.ts'
import { COVER, type Deed, edited, FREE, look } from './deed.ts'
import { behindSignature, inEverySetting } from './settings.ts'
import { certifying, locking } from './sign-deed.ts'

/* Fields of the form: what is more, or less, than filling one in. */

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

/** The value says one thing and the look another: whoever reads sees what was never signed. */
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

/** Who ticks a box chooses one of its two signed looks. */
const boxes: Attack[] = inEverySetting(
  'a box that is ticked, and its looks change places',
  (deed) => ({
    ...both(deed, 14, ['/V/Off', '/V/Si'], ['/AS/Off', '/AS/Si']),
    15: look(''),
    16: look('x'),
  }),
  INVALID,
)

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
  ...edited(deed, 35, '(Hidalgo 1)', '(Juárez 2)'),
  37: look('Juárez 2'),
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
  behindSignature('a line, although its whole is locked', kids, INVALID, {
    entries: locking('Include', 'Domicilio'),
  }),
  behindSignature('a line, although it is locked', kids, INVALID, {
    entries: locking('Include', 'Domicilio.calle'),
  }),
  behindSignature(
    'a line, and another is locked',
    kids,
    { verdict: ['VALID'] },
    { entries: locking('Include', 'Domicilio.ciudad') },
  ),
  behindSignature(
    'a line, and a whole with a similar name is locked',
    kids,
    { verdict: ['VALID'] },
    { entries: locking('Include', 'Domi') },
  ),
  ...LOCKS.map(([name, entries]) => {
    const [, action, fields] = /\/Action\/(\w+)\/Fields(\[.*?\])/.exec(entries)!
    return behindSignature(
      `filled, although the field of the signature locks ${name}`,
      (deed) => fill(deed),
      INVALID,
      { field: `/Lock<</Type/SigFieldLock/Action/${action}/Fields${fields}>>` },
    )
  }),
  ...([1, 2, 3] as const).map((level) =>
    behindSignature(
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
    behindSignature(
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
      ...boxes,
    ],
  },
  { name: 'locked fields', attacks: locks },
  { name: 'certified documents', attacks: permissions },
]
