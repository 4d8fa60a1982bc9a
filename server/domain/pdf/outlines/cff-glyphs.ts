import type { Point, Spend } from './bounds.ts'
import { dictionaryIn, indexAt, viewOf } from './cff-file.ts'
import { cffParts, type Matrix, wholeNumberOf } from './cff-parts.ts'
import { type Draw, drawCharString } from './char-string.ts'

/** Operators of the dictionary of a font. @see Adobe Technical Note 5176, table 9 */
const [CHAR_STRINGS, CHAR_STRING_TYPE] = [17, 0x0c06]

const STEPS_OF_GLYPH = 30

export type CffGlyphs = {
  readonly count: number
  /**
   * Gives all points of a glyph, in units of the font.
   *
   * @returns what makes them parts of the em
   * @throws {RangeError} for an outline that is not read to its end
   */
  draw(glyph: number, draw: Draw): Matrix
}

/** @throws {RangeError} for a file that is not read to its end. @see Adobe Technical Note 5176 */
export function cffGlyphs(file: Uint8Array, spend: Spend): CffGlyphs {
  const names = indexAt(file, viewOf(file).getUint8(2))
  const tops = indexAt(file, names.end)
  if (tops.count !== 1) throw new RangeError('the file has several fonts')
  const top = dictionaryIn(tops.at(0), spend)
  if (top.has(CHAR_STRING_TYPE) && wholeNumberOf(top, CHAR_STRING_TYPE) !== 2)
    throw new RangeError('letters of another type')
  const global = indexAt(file, indexAt(file, tops.end).end)
  const glyphs = indexAt(file, wholeNumberOf(top, CHAR_STRINGS))
  const partOf = cffParts({ file, top, global, count: glyphs.count }, spend)
  return {
    count: glyphs.count,
    draw(glyph, draw) {
      spend(STEPS_OF_GLYPH)
      const { subrs, matrix } = partOf(glyph)
      drawCharString(glyphs.at(glyph), subrs, draw, spend)
      return matrix
    },
  }
}

export const placed = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]
