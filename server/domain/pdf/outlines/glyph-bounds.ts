import { type WorkMeter, workMeter } from '#server/domain/pdf/limits.ts'
import { type Tables, table, tablesOf } from '#server/domain/pdf/true-type.ts'
import type { GlyphBounds } from './bounds.ts'
import { cffBounds } from './cff-bounds.ts'
import { trueTypeBounds } from './true-type-bounds.ts'

/**
 * How far the letters of a font reach, by the points of their outlines: what the font states about its size may be untrue.
 *
 * @returns undefined for a font that is not read to its end, or whose outlines are neither those of TrueType nor of the
 *   Compact Font Format
 * @param meter of the file that the font is in
 * @throws {PdfError} `too-complex`
 */
export function glyphBounds(
  program: Uint8Array,
  meter: WorkMeter = workMeter(program.length),
): GlyphBounds | undefined {
  try {
    // A copy: what is outside of it is not read.
    const own = program.slice()
    if (own[0] === CFF_VERSION) return cffBounds(own, meter)
    const tables = tablesOf(own)
    return tables.has('CFF ') ? openTypeBounds(tables, meter) : trueTypeBounds(tables, meter)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The first byte of the Compact Font Format. A font file of tables begins with 0 or a letter. */
export const CFF_VERSION = 1

function openTypeBounds(tables: Tables, meter: WorkMeter): GlyphBounds {
  const { file, em } = compactFontIn(tables)
  return cffBounds(file, meter, em)
}

/** The font of an OpenType file, and the em that this states. @throws {RangeError} for two kinds of outlines */
export function compactFontIn(tables: Tables): { file: Uint8Array; em: number } {
  if (tables.has('glyf')) throw new RangeError('the font has two kinds of outlines')
  const { buffer, byteOffset, byteLength } = table(tables, 'CFF ')
  const em = table(tables, 'head').getUint16(18)
  return { file: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice(), em }
}
