import type { Point, Spend } from './bounds.ts'
import { glyphsByName } from './cff-charset.ts'
import { dictionaryIn, indexAt, viewOf } from './cff-file.ts'
import { cffParts, type Matrix, wholeNumberOf } from './cff-parts.ts'
import { type Draw, drawCharString } from './char-string.ts'

/** Operators of the dictionary of a font. @see Adobe Technical Note 5176, table 9 */
const [CHARSET, CHAR_STRINGS, CHAR_STRING_TYPE, IS_COMPOSITE] = [15, 17, 0x0c06, 0x0c1e] as const

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
  /**
   * By the name of each; empty where glyphs have numbers instead.
   *
   * @throws {RangeError} for names that are not read to their end
   */
  byName(): ReadonlyMap<string, number>
}

/** @throws {RangeError} for a file that is not read to its end. @see Adobe Technical Note 5176 */
export function cffGlyphs(file: Uint8Array, spend: Spend): CffGlyphs {
  const names = indexAt(file, viewOf(file).getUint8(2))
  const tops = indexAt(file, names.end)
  if (tops.count !== 1) throw new RangeError('the file has several fonts')
  const top = dictionaryIn(tops.at(0), spend)
  if (top.has(CHAR_STRING_TYPE) && wholeNumberOf(top, CHAR_STRING_TYPE) !== 2)
    throw new RangeError('letters of another type')
  const strings = indexAt(file, tops.end)
  const global = indexAt(file, strings.end)
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
    byName() {
      if (top.has(IS_COMPOSITE)) return new Map()
      const start = top.has(CHARSET) ? wholeNumberOf(top, CHARSET) : 0
      return glyphsByName({ file, start, strings, count: glyphs.count }, spend)
    },
  }
}

export const placed = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]
