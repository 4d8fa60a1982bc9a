import type { Random } from '#tests/fuzz/random.ts'
import type { Bodies } from '#tests/support/pdf/pdf-builders.ts'
import { type Deed, FREE, revised, tick } from './deed.ts'
import { LYING_LOOKS } from './lying-looks.ts'
import { bodyOf, HARMLESS_LOOKS, type Look, type LookMutation, plainLook } from './mutated-looks.ts'
import { signDeed } from './sign-deed.ts'

/*
 * Fields that are filled after a signature, and later signatures with a look, in which something is wrong by chance:
 * in the look, in the field, or in what stands around it.
 */

/** A field that is filled. */
type Filling = {
  deed: Deed
  number: number
  /** Its field and widget. */
  widget: string
  look: Look
  /** Objects that change, beside the field and its look. */
  bodies: Bodies
}

type Mutated = { names: string[]; bodies: Bodies }

/** Objects of a filled field, or of two. */
export function mutatedFields(deed: Deed, random: Random): Mutated {
  const one = random.below(4) === 0 ? mutatedBox(deed, random) : mutatedText(deed, random)
  if (random.below(6) > 0) return one
  const other = mutatedBox(deed, random)
  return { names: [...one.names, ...other.names], bodies: { ...one.bodies, ...other.bodies } }
}

const TEXTS = [
  { name: 'price', number: 5, look: 7, old: '(1000)' },
  { name: 'city', number: 36, look: 38, old: '(Tepic)' },
  { name: 'state', number: 17, look: 21, old: '(Jalisco)' },
] as const

function mutatedText(deed: Deed, random: Random): Mutated {
  const field = random.pick(TEXTS)
  const price = random.pick([String(random.below(1_000_000)), `${random.below(999)} mil`, ''])
  const value =
    field.name === 'price' ? price : random.pick(['Sonora', 'Jalisco', 'Colima', 'León'])
  const old = deed.bodies[field.number]!
  const filling: Filling = {
    deed,
    number: field.number,
    widget: old.replace(`/V${field.old}`, `/V(${value.replace('ó', '\xf3')})`),
    look: plainLook(value.replace('ó', '\\363')),
    bodies: {},
  }
  const names = mutate(filling, random)
  const look = bodyOf(filling.look)
  return {
    names: [`${field.name} filled`, ...names],
    bodies: {
      ...filling.bodies,
      ...filling.look.bodies,
      [field.number]: filling.widget,
      [field.look]: look,
    },
  }
}

/** A third are filled rightly, a third in a way that is unusual; two lies at most. */
function mutate(filling: Filling, random: Random): string[] {
  const kinds = random.pick([
    'none',
    'harmless',
    'harmless',
    'look',
    'look',
    'both',
    'field',
    'field',
  ] as const)
  const names: string[] = []
  const change = (mutations: readonly LookMutation[]) => {
    const [name, apply] = random.pick(mutations)
    apply(filling.look, random)
    names.push(name)
  }
  if (kinds === 'harmless' || kinds === 'both') change(HARMLESS_LOOKS)
  if (kinds === 'harmless' && random.below(2) === 0) change(HARMLESS_LOOKS)
  if (kinds === 'look' || kinds === 'both') change(LYING_LOOKS)
  if (kinds === 'look' && random.below(3) === 0) change(LYING_LOOKS)
  if (kinds === 'field') {
    const [name, apply] = random.pick(FIELD_MUTATIONS)
    apply(filling, random)
    names.push(name)
  }
  return names
}

/** In place of the entry that is there, or added. */
function set(filling: Filling, key: string, value: string): void {
  const there = new RegExp(`/${key}(?:\\[[^\\]]*\\]|\\([^)]*\\)|[ /][^/<>[(]+)`)
  filling.widget = there.test(filling.widget)
    ? filling.widget.replace(there, () => `/${key}${value}`)
    : filling.widget.replace(/>>$/, () => `/${key}${value}>>`)
}

type MutateField = (filling: Filling, random: Random) => void

const setOne =
  (key: string, values: readonly string[]): MutateField =>
  (filling, random) =>
    set(filling, key, random.pick(values))

const KID = FREE + 32

const FIELD_MUTATIONS: readonly (readonly [string, MutateField])[] = [
  [
    'rectangle',
    setOne('Rect', [
      '[0 10 200 19]',
      '[0 100 90 109]',
      '[0 0 300 300]',
      '[30 150 120 159]',
      '[90 19 0 10]',
      '[0 10 90.0 19]',
      '[0 10 0 10]',
    ]),
  ],
  [
    'flags of the annotation',
    setOne('F', [' 0', ' 1', ' 2', ' 4', ' 6', ' 32', ' 36', ' 64', ' 132', ' 256']),
  ],
  [
    'looks of the widget',
    setOne('MK', [
      '<</BG[1 1 1]>>',
      '<</BG[0]/BC[0]>>',
      '<</R 90>>',
      '<</R 180>>',
      '<</CA(9)>>',
      '<<>>',
    ]),
  ],
  ['border', setOne('BS', ['<</W 90>>', '<</W 1/S/S>>', '<</W 0>>', '<</W 4/S/D/D[9 9]>>'])],
  ['state', setOne('AS', ['/On', '/Off', ' null', '/N'])],
  [
    'appearances',
    (filling, random) => {
      const number = /\/AP<<\/N (\d+)/.exec(filling.widget)![1]
      const free = `${FREE + 33} 0 R`
      filling.bodies[FREE + 33] = bodyOf(plainLook('9999'))
      const looks = random.pick([
        `/N ${number} 0 R/D ${free}`,
        `/N ${number} 0 R/R ${free}`,
        `/N ${free}`,
        `/N<</On ${number} 0 R>>`,
        `/D ${number} 0 R`,
        '/N 97 0 R',
        '/N null',
        `/N ${number} 0 R/N ${free}`,
      ])
      filling.widget = filling.widget.replace(/\/AP<<[^>]*>>/, `/AP<<${looks}>>`)
    },
  ],
  [
    'second widget',
    (filling, random) => {
      const page = random.pick([10, 12])
      filling.bodies[KID] =
        `<</Type/Annot/Subtype/Widget/Rect[0 ${random.pick([100, 10, 150])} 90 190]/F 4/P ${page} 0 R/Parent ${filling.number} 0 R/AP<</N ${random.pick([7, 38, 22])} 0 R>>>>`
      const old = filling.deed.bodies[page]!
      const listed = old.includes('/Annots[')
        ? old.replace('/Annots[', `/Annots[${KID} 0 R `)
        : old.replace('/Contents', `/Annots[${KID} 0 R]/Contents`)
      if (random.below(3) > 0) filling.bodies[page] = listed
      set(filling, 'Kids', `[${KID} 0 R]`)
    },
  ],
  [
    'default appearance',
    setOne('DA', [
      '(/F1 8 Tf 0 g)',
      '(/F1 400 Tf)',
      '(1 g /F1 8 Tf)',
      '(/F1 0 Tf)',
      '(/F9 8 Tf)',
      '(0 0 1 rg /F1 8 Tf)',
      '(1 0 0 1 9 9 cm)',
      '()',
    ]),
  ],
  ['default value', setOne('DV', ['(9)', '(1000)', '/Off'])],
  ['alignment', setOne('Q', [' 0', ' 1', ' 2', ' 9'])],
  ['most letters', setOne('MaxLen', [' 0', ' 2', ' 20', ' -1'])],
  [
    'kind',
    setOne('Ff', [
      ' 0',
      ' 1',
      ' 2',
      ' 4',
      ' 4096',
      ' 8192',
      ' 131072',
      ' 393216',
      ' 16777216',
      ' 33554432',
      ' 67108864',
    ]),
  ],
  [
    'type of the value',
    setOne('V', [
      ' 9999',
      '/Sonora',
      ' 3 0 R',
      ' 7 0 R',
      ' true',
      ' null',
      '<feff0031>',
      '[(Sonora)]',
      '[(Sonora)(Jalisco)]',
      '(\\376\\377\\0009)',
      '(<b>9</b>)',
    ]),
  ],
  [
    'rich text',
    (filling, random) =>
      set(
        filling,
        'RV',
        random.pick([
          '(<p>9999</p>)',
          `(<p>${filling.look.text}</p>)`,
          '()',
          ' 7 0 R',
          '(<p style="color:white">9</p>)',
        ]),
      ),
  ],
  [
    'options',
    setOne('Opt', [
      '[(Jalisco)(Sonora)]',
      '[[(Sonora)(Jalisco)][(Jalisco)(Sonora)]]',
      '[[(Sonora)(Otro)]]',
      '[]',
      '[(Jalisco)]',
      '[(Jalisco)(Sonora)(Colima)]',
    ]),
  ],
  ['chosen by number', setOne('I', ['[0]', '[1]', '[0 1]', '[9]', '[]', ' 1'])],
  ['first item', setOne('TI', [' 0', ' 1', ' 9'])],
  ['style', setOne('DS', ['(color:white)', '(font:8pt Helvetica)'])],
  ['layer', setOne('OC', [' 23 0 R'])],
  [
    'form',
    (filling, random) => {
      const entries = random.pick([
        '/NeedAppearances true',
        '/NeedAppearances false',
        '/XFA(<x/>)',
        '/Q 2',
        '/CO[5 0 R]',
      ])
      filling.bodies[8] = filling.deed.bodies[8]!.replace('/SigFlags', `${entries}/SigFlags`)
    },
  ],
  [
    'fonts of the form',
    (filling, random) => {
      const font = random.pick(['Helv', 'F1', 'F9', 'ZaDb'])
      const base = random.pick(['Helvetica', 'Symbol', 'ZapfDingbats', 'Courier'])
      filling.bodies[8] = filling.deed.bodies[8]!.replace(
        '/DR<</Font<<',
        `/DR<</Font<</${font}<</Type/Font/Subtype/Type1/BaseFont/${base}>>`,
      )
      if (random.below(2) === 0) set(filling, 'DA', `(/${font} 8 Tf)`)
    },
  ],
  ['date of the annotation', setOne('M', ['(D:20270101000000Z)', '(nada)'])],
]

const BOX_LOOKS = ['', '4', '8', 'l', 'n', 'u', 'Renuncio', '9999', 'X', '44']

/** The box with its two looks: most of them say what they show. */
function mutatedBox(deed: Deed, random: Random): Mutated {
  const names: string[] = ['box']
  const bodies: Bodies = {}
  let widget = deed.bodies[14]!
  const state = random.pick(['Si', 'Si', 'Si', 'Si', 'Off', 'Otro', 'N', ''])
  const shown = random.below(4) === 0 ? random.pick(['Si', 'Off', 'Otro', '']) : state
  const value = random.below(8) === 0 ? `(${state})` : `/${state}`
  widget = widget
    .replace('/V/Off', `/V${value}`)
    .replace('/AS/Off', shown === '' ? '' : `/AS/${shown}`)
  names.push(`value ${value}, state ${shown}`)
  for (const [number, usual] of [
    [15, '4'],
    [16, ''],
  ] as const) {
    if (random.below(2) === 0) continue
    const sign = random.below(2) === 0 ? usual : random.pick(BOX_LOOKS)
    const body = random.below(3) === 0 ? tick(sign) : bodyOf(mutatedSign(sign, random, names))
    bodies[number] = body
    names.push(`look ${number} ${sign}`)
  }
  if (random.below(6) === 0) {
    widget = widget.replace(
      '/Si 15 0 R/Off 16 0 R',
      random.pick([
        '/Si 16 0 R/Off 15 0 R',
        '/Si 15 0 R',
        '/Off 16 0 R',
        '/Si 15 0 R/Off 15 0 R',
        '/Si 15 0 R/Off 16 0 R/Otro 15 0 R',
      ]),
    )
    names.push('other looks')
  }
  return { names, bodies: { ...bodies, 14: widget } }
}

function mutatedSign(sign: string, random: Random, names: string[]): Look {
  const look = plainLook(sign)
  look.font = random.pick(['3 0 R', '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>'])
  const mutations = random.below(2) === 0 ? HARMLESS_LOOKS : LYING_LOOKS
  const [name, apply] = random.pick(mutations)
  apply(look, random)
  names.push(name)
  look.bodies = {}
  return look
}

const RECTANGLES = [
  '[20 220 200 270]',
  '[20 220 200 270]',
  '[20 140 200 190]',
  '[0 8 90 40]',
  '[110 100 290 150]',
  '[250 0 430 50]',
]

/** The deed with a later signature that has a look. */
export async function laterSignature(
  deed: Deed,
  random: Random,
): Promise<{ names: string[]; deed: Deed }> {
  const look = plainLook('Firmado por Ana', 180, 50, 9)
  look.place = [5, 30]
  const names = ['later signature']
  for (let done = random.below(3); done > 0; done--) {
    const [name, apply] = random.pick([...HARMLESS_LOOKS, ...LYING_LOOKS])
    apply(look, random)
    names.push(name)
  }
  const number = FREE + 34
  const withLook = revised(deed, { ...look.bodies, [number]: bodyOf(look) })
  const rectangle = random.pick(RECTANGLES)
  return {
    names: [...names, rectangle],
    deed: await signDeed(withLook, { number: 100, rectangle, field: `/AP<</N ${number} 0 R>>` }),
  }
}
