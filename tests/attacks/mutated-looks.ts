import type { Random } from '#tests/fuzz/random.ts'
import { streamBody } from '#tests/support/pdf/pdf-builders.ts'

/*
 * The look of a field or of a signature, of which every part can be changed by chance: where it is drawn, how its
 * text is set, in which letters, what hides it and what stands beside it.
 */

export type Look = {
  text: string
  /** Instructions before, in and after the text object. */
  before: string
  setting: string
  after: string
  size: number
  place: readonly [number, number]
  box: string
  /** In the text object, in place of the text. */
  showing: string | undefined
  font: string
  /** More entries of the form XObject, and of its resources. */
  entries: string
  resources: string
  /** Objects that it needs, beside those of the deed. */
  bodies: Record<number, string>
}

export type MutateLook = (look: Look, random: Random) => void
export type LookMutation = readonly [string, MutateLook]

/** As programs write it. */
export function plainLook(text: string, width = 90, height = 9, size = 8): Look {
  return {
    text,
    before: '',
    setting: '',
    after: '',
    size,
    place: [2, 2],
    box: `0 0 ${width} ${height}`,
    showing: undefined,
    font: '3 0 R',
    entries: '',
    resources: '',
    bodies: {},
  }
}

export function bodyOf({ text, before, setting, after, size, place, ...look }: Look): string {
  const shown = look.showing ?? `(${text}) Tj`
  const resources = `/Resources<</Font<</F1 ${look.font}>>${look.resources}>>`
  const entries = `/Type/XObject/Subtype/Form/BBox[${look.box}]${resources}${look.entries}`
  const content = `${before}BT /F1 ${size} Tf ${setting}${place.join(' ')} Td ${shown} ET${after}`
  return streamBody(content, entries)
}

export const typeOne = (entries: string) => `<</Type/Font/Subtype/Type1${entries}>>`
/** Most of these are no lie: programs write them too. */
export const HARMLESS_LOOKS: readonly LookMutation[] = [
  ['another size', (look, random) => (look.size = random.pick([6, 7, 7.5, 8, 9]))],
  ['another place', (look, random) => (look.place = [random.below(20), random.pick([1, 2, 2.5])])],
  ['marked content', (look) => wrap(look, '/Tx BMC q ', ' Q EMC')],
  ['a saved state', (look) => wrap(look, 'q 0 0 90 9 re W n ', ' Q')],
  [
    'letters spelled out',
    (look) => (look.showing = `[${[...look.text].map((one) => `(${one})`).join('')}] TJ`),
  ],
  [
    'a hexadecimal text',
    (look) => (look.showing = `<${Buffer.from(look.text).toString('hex')}> Tj`),
  ],
  ['a place by a matrix', (look) => (look.setting += '1 0 0 1 3 0 Tm ')],
  [
    'dark letters',
    (look, random) =>
      (look.setting += random.pick(['0 g ', '0 0 0 rg ', '0 0 0.5 rg ', '0 0 0 1 k '])),
  ],
  [
    'another usual font',
    (look, random) =>
      (look.font = typeOne(
        `/BaseFont/${random.pick(['Times-Roman', 'Courier', 'Helvetica-Bold', 'Arial'])}/Encoding/WinAnsiEncoding`,
      )),
  ],
  ['an entry of its own', (look) => (look.entries += '/FormType 1/Own(nada)')],
  ['the identity', (look) => (look.entries += '/Matrix[1 0 0 1 0 0]')],
]

export function wrap(look: Look, before: string, after: string): void {
  look.before = before + look.before
  look.after += after
}

export function beside(look: Look, random: Random, content: string): void {
  if (random.below(2) === 0) look.before += content
  else look.after += ` ${content}`
}
