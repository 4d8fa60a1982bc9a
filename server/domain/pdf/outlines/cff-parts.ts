import type { Spend } from './bounds.ts'
import { type CffDictionary, dictionaryIn, indexAt, viewOf } from './cff-file.ts'
import type { Subrs } from './char-string.ts'

/** What a glyph takes from the font that it is of: a file for many characters has several of them. */
export type CffPart = { readonly subrs: Subrs; readonly matrix: Matrix }

/** From the units of outlines to the em. */
export type Matrix = readonly [number, number, number, number, number, number]

/** Operators of dictionaries. @see Adobe Technical Note 5176, tables 9, 10 and 23 */
const [PRIVATE, SUBRS] = [18, 19]
const [MATRIX, IS_COMPOSITE, FONTS, SELECTION] = [0x0c07, 0x0c1e, 0x0c24, 0x0c25] as const

type Font = {
  readonly file: Uint8Array
  readonly top: CffDictionary
  readonly global: Subrs['global']
  /** Of its glyphs. */
  readonly count: number
}

/** The part of each glyph. @throws {RangeError} for a file that is not read to its end */
export function cffParts(
  { file, top, global, count }: Font,
  spend: Spend,
): (glyph: number) => CffPart {
  const written = matrixIn(top)
  if (!top.has(IS_COMPOSITE)) {
    const matrix = likely(written ?? USUAL)
    const part = { subrs: { local: localSubrs(file, top, spend), global }, matrix }
    return () => part
  }
  const fonts = indexAt(file, wholeNumberOf(top, FONTS))
  const parts = Array.from({ length: fonts.count }, (_, at): CffPart => {
    const font = dictionaryIn(fonts.at(at), spend)
    const matrix = oneOf(written, matrixIn(font))
    return { subrs: { local: localSubrs(file, font, spend), global }, matrix }
  })
  const selection = selectionAt(file, wholeNumberOf(top, SELECTION), count, spend)
  return (glyph) => {
    const part = parts[selection(glyph)]
    if (!part) throw new RangeError('a glyph is of no font')
    return { ...part, matrix: likely(part.matrix) }
  }
}

const USUAL: Matrix = [0.001, 0, 0, 0.001, 0, 0]

function matrixIn(dictionary: CffDictionary): Matrix | undefined {
  const values = dictionary.get(MATRIX)
  if (values && values.length !== 6) throw new RangeError('a matrix has not six numbers')
  return values as unknown as Matrix | undefined
}

/** @throws {RangeError} for two of which none is the identity: readers differ in what they do with them */
function oneOf(outer: Matrix | undefined, inner: Matrix | undefined): Matrix {
  if (!outer || !inner) return outer ?? inner ?? USUAL
  const IDENTITY = [1, 0, 0, 1, 0, 0]
  const isIdentity = (matrix: Matrix) => IDENTITY.every((value, at) => matrix[at] === value)
  if (isIdentity(inner)) return outer
  if (isIdentity(outer)) return inner
  throw new RangeError('a font has two matrices')
}

/** @throws {RangeError} for a matrix in whose place readers may take another one */
function likely(matrix: Matrix): Matrix {
  const [a, b, c, d] = matrix
  const isSize = (size: number) => size >= 1 / 16_384 && size <= 1 / 16
  const isLikely = isSize(a) && isSize(d) && Math.abs(b) <= a && Math.abs(c) <= a
  if (!isLikely) throw new RangeError('a matrix makes letters of no size')
  return matrix
}

/** The whole numbers of an entry. @throws {RangeError} for another number of them */
function wholeNumbersOf(dictionary: CffDictionary, operator: number, count: number) {
  const values = dictionary.get(operator)
  if (values?.length !== count || !values.every((value) => Number.isInteger(value) && value >= 0))
    throw new RangeError('a dictionary has an odd entry')
  return values
}

export const wholeNumberOf = (dictionary: CffDictionary, operator: number) =>
  wholeNumbersOf(dictionary, operator, 1)[0]!

function localSubrs(file: Uint8Array, dictionary: CffDictionary, spend: Spend): Subrs['local'] {
  if (!dictionary.has(PRIVATE)) return undefined
  const [size = 0, start = 0] = wholeNumbersOf(dictionary, PRIVATE, 2)
  if (start + size > file.length) throw new RangeError('a dictionary is outside of the file')
  const own = dictionaryIn(file.subarray(start, start + size), spend)
  return own.has(SUBRS) ? indexAt(file, start + wholeNumberOf(own, SUBRS)) : undefined
}

/** Of which font a glyph is. @see Adobe Technical Note 5176, section 19 */
function selectionAt(
  file: Uint8Array,
  start: number,
  count: number,
  spend: Spend,
): (glyph: number) => number {
  const view = viewOf(file)
  const format = view.getUint8(start)
  if (format === 0) return (glyph) => view.getUint8(start + 1 + glyph)
  if (format !== 3) throw new RangeError('an unknown selection of fonts')
  const ranges = view.getUint16(start + 1)
  spend(ranges)
  const firstOf = (range: number) => view.getUint16(start + 3 + 3 * range)
  const selected = new Uint8Array(count)
  for (let range = 0; range < ranges; range++) {
    const [first, next] = [firstOf(range), firstOf(range + 1)]
    if (next <= first) throw new RangeError('a selection of fonts goes back')
    selected.fill(view.getUint8(start + 5 + 3 * range), first, next)
  }
  if (ranges === 0 || firstOf(0) !== 0 || firstOf(ranges) < count)
    throw new RangeError('a selection of fonts has gaps')
  return (glyph) => selected[glyph]!
}
