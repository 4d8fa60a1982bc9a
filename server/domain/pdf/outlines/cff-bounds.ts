import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { cornersOf, type GlyphBounds, growingBounds, limitedTo, type Point } from './bounds.ts'
import { dictionaryIn, indexAt, viewOf } from './cff-file.ts'
import { cffParts, type Matrix, wholeNumberOf } from './cff-parts.ts'
import { drawCharString } from './char-string.ts'

/** Operators of the dictionary of a font. @see Adobe Technical Note 5176, table 9 */
const [CHAR_STRINGS, CHAR_STRING_TYPE] = [17, 0x0c06]

/** Numbers and operators of a whole font: more than those for Chinese have. */
const MOST_STEPS = 12_000_000
const STEPS_OF_GLYPH = 30
const BYTES_IN_STEP = 1

/**
 * @param meter of the file that the font is in
 * @param em of the font file around it, if there is one
 * @throws {RangeError} for outlines that are not read to their end
 * @throws {PdfError} `too-complex`
 * @see Adobe Technical Note 5176
 */
export function cffBounds(file: Uint8Array, meter: WorkMeter, em?: number): GlyphBounds {
  const spend = limitedTo(MOST_STEPS, meter, BYTES_IN_STEP)
  const names = indexAt(file, viewOf(file).getUint8(2))
  const tops = indexAt(file, names.end)
  if (tops.count !== 1) throw new RangeError('the file has several fonts')
  const top = dictionaryIn(tops.at(0), spend)
  if (top.has(CHAR_STRING_TYPE) && wholeNumberOf(top, CHAR_STRING_TYPE) !== 2)
    throw new RangeError('letters of another type')
  const global = indexAt(file, indexAt(file, tops.end).end)
  const glyphs = indexAt(file, wholeNumberOf(top, CHAR_STRINGS))
  const partOf = cffParts({ file, top, global, count: glyphs.count }, spend)
  const whole = growingBounds()
  for (let glyph = 0; glyph < glyphs.count; glyph++) {
    spend(STEPS_OF_GLYPH)
    const { subrs, matrix } = partOf(glyph)
    const own = growingBounds()
    drawCharString(glyphs.at(glyph), subrs, own.add, spend)
    for (const corner of cornersOf(own.bounds)) {
      whole.add(placed(corner, matrix))
      // Some readers take the em of the file around the font.
      if (em !== undefined) whole.add(placed(corner, [1 / em, 0, 0, 1 / em, 0, 0]))
    }
  }
  if (!Object.values(whole.bounds).every(Number.isFinite))
    throw new RangeError('the font has no size')
  return whole.bounds
}

const placed = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]
