import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { cornersOf, type GlyphBounds, growingBounds, limitedTo } from './bounds.ts'
import { cffGlyphs, placed } from './cff-glyphs.ts'

/** Numbers and operators of a whole font: more than those for Chinese have. */
const MOST_STEPS = 12_000_000
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
  const { count, draw } = cffGlyphs(file, spend)
  const whole = growingBounds()
  for (let glyph = 0; glyph < count; glyph++) {
    const own = growingBounds()
    const matrix = draw(glyph, own.add)
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
