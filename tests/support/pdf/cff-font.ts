import { words } from './font-file.ts'

/* Fonts of the Compact Font Format, as Latin-1 text. See Adobe Technical Notes 5176 and 5177. */

const bytes = (...values: number[]) => String.fromCharCode(...values)

function index(items: readonly string[]): string {
  if (items.length === 0) return words(0)
  let end = 1
  const places = [1, ...items.map((item) => (end += item.length))]
  const long = places.map((place) => words(place >>> 16, place)).join('')
  return `${words(items.length)}${bytes(4)}${long}${items.join('')}`
}

/** A number of a dictionary, always as long. */
const integer = (value: number) => `${bytes(29)}${words(value >> 16, value)}`
export const entry = (values: readonly number[], ...operator: number[]) =>
  values.map(integer).join('') + bytes(...operator)
/** How a real number of a dictionary writes its digits, its dot and its signs. */
const NIBBLES = '0123456789.E??-'
export const real = (text: string) => {
  const digits = [...text].map((sign) => NIBBLES.indexOf(sign).toString(16)).join('')
  return (
    bytes(30) +
    Buffer.from(`${digits}ff`.slice(0, digits.length + 2 - (digits.length % 2)), 'hex').toString(
      'latin1',
    )
  )
}

/** An instruction of a letter. */
export const charString = (values: readonly number[], ...operator: number[]) =>
  values.map((value) => bytes(28) + words(value)).join('') + bytes(...operator)

export const [R_LINE_TO, CALL_SUBR, END_CHAR, R_MOVE_TO, CALL_GLOBAL_SUBR] = [5, 10, 14, 21, 29]

/** Fills all from where it stands. */
export const square = (side: number) =>
  charString([0, 0], R_MOVE_TO) +
  charString([side, 0, 0, side, -side, 0], R_LINE_TO) +
  charString([], END_CHAR)

type Parts = {
  readonly subrs?: readonly string[]
  readonly globalSubrs?: readonly string[]
  /** More entries of the dictionary that says where the subroutines are. */
  readonly own?: string
  /** More entries of the dictionary of the font. */
  readonly top?: string
  /** For a font that is made of several: more entries of their dictionaries, and of which one each glyph is. */
  readonly parts?: readonly string[]
  readonly selection?: string
  /** The list of the names of glyphs, and the names that are not standard. */
  readonly charset?: string
  readonly strings?: readonly string[]
}

/** A font with these glyphs. All its parts have the same subroutines. */
export function cffWith(
  glyphs: readonly string[],
  {
    subrs,
    globalSubrs = [],
    own: more = '',
    top = '',
    parts,
    selection = '',
    charset,
    strings = [],
  }: Parts = {},
): string {
  const head = `${bytes(1, 0, 4, 4)}${index(['Deed'])}`
  const rest = index(strings) + index(globalSubrs)
  const charStrings = index(glyphs)
  const own = subrs ? more + entry([more.length + 6], 19) : ''
  const local = own + (subrs ? index(subrs) : '')
  const madeAt = (start: number) => {
    const ownPlace = start + charStrings.length
    const ownEntry = subrs ? entry([own.length, ownPlace], 18) : ''
    const fonts = parts ? index(parts.map((part) => part + ownEntry)) : ''
    const fontsPlace = ownPlace + local.length
    const selected = fontsPlace + fonts.length
    const names = charset === undefined ? '' : entry([selected + selection.length], 15)
    const made = parts
      ? entry([1, 2, 0], 12, 30) + entry([fontsPlace], 12, 36) + entry([selected], 12, 37)
      : ownEntry
    return { dictionary: index([made + names + entry([start], 17) + top]), fonts }
  }
  const start = head.length + madeAt(0).dictionary.length + rest.length
  const { dictionary, fonts } = madeAt(start)
  return head + dictionary + rest + charStrings + local + fonts + selection + (charset ?? '')
}
