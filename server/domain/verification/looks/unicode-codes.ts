import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { WorkMeter } from '#server/domain/pdf/limits.ts'
import { entriesOf, isArray, isNamed, isStream, type PdfObject } from '#server/domain/pdf/object.ts'
import { table, tablesOf } from '#server/domain/pdf/true-type.ts'
import { onlyFontFile } from './font-files.ts'

const MAX_PROGRAM = 16 << 20
/** Of a table that gives two bytes to each code of two bytes. */
const MAX_GLYPH_NUMBERS = 1 << 17

/**
 * The text of codes that are those of Unicode, in a composite font that does not say so. Poppler makes such fonts, and
 * other programs write with them. The font file must have for each code the glyph that readers draw.
 *
 * @returns undefined for codes that stand for something else, or for a font of another kind
 * @see ISO 32000-2:2020, 9.7.4.2, entry "CIDToGIDMap", and ISO/IEC 14496-22, "cmap"
 */
export function unicodeCodes(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  let glyphs: Glyphs | undefined
  return (codes: Uint8Array): string | undefined => {
    glyphs ??= glyphsOf(document, font)
    const { drawn, named } = glyphs
    if (codes.length % 2 === 1) return undefined
    let text = ''
    for (let at = 0; at < codes.length; at += 2) {
      const code = wordAt(codes, at)
      const glyph = drawn(code)
      if (code < FIRST_LETTER || glyph === 0 || glyph !== named(code)) return undefined
      text += String.fromCharCode(code)
    }
    return text
  }
}

const FIRST_LETTER = 0x20

/** The glyph of a code: the one that is drawn, and the one that the font file has for this character; 0 for none. */
type Glyphs = { drawn(code: number): number; named(code: number): number }

const NONE: Glyphs = { drawn: () => 0, named: () => 0 }

function glyphsOf(document: PdfDocument, font: ReadonlyMap<string, PdfObject>): Glyphs {
  const below = document.resolve(font.get('DescendantFonts'))
  const inner = entriesOf(document.resolve(isArray(below) ? below.items[0] : undefined))
  const map = document.resolve(inner.get('CIDToGIDMap'))
  const descriptor = entriesOf(document.resolve(inner.get('FontDescriptor')))
  const file = document.resolve(onlyFontFile(descriptor))
  const isPlain = isNamed(document.resolve(font.get('Encoding')), 'Identity-H')
  if (!isPlain || !isStream(map) || !isStream(file)) return NONE
  const drawn = document.decoded(map, MAX_GLYPH_NUMBERS)
  const program = document.decoded(file, MAX_PROGRAM)
  return {
    drawn: (code) => (2 * code + 1 < drawn.length ? wordAt(drawn, 2 * code) : 0),
    named: charactersIn(program, document.meter),
  }
}

const wordAt = (bytes: Uint8Array, at: number) => (bytes[at]! << 8) | bytes[at + 1]!

/** Looks up the glyphs of the Basic Multilingual Plane. A font file that is cut off or has no such table has none. */
function charactersIn(program: Uint8Array, meter: WorkMeter): Glyphs['named'] {
  const known = new Map<number, number>()
  let segments: DataView | undefined
  let isRead = false
  return (code) => {
    const glyph = known.get(code) ?? glyphOf(code)
    known.set(code, glyph)
    return glyph
  }

  function glyphOf(code: number): number {
    try {
      // The table is looked for once, also in a file that has none.
      if (!isRead) {
        isRead = true
        segments = segmentsIn(program)
      }
      if (!segments) return 0
      const segment = segmentOf(segments, code)
      meter.spend(1 + segment / SEGMENTS_IN_BYTE)
      return glyphIn(segments, segment, code)
    } catch (error) {
      if (error instanceof RangeError) return 0
      throw error
    }
  }
}

/** The table of characters. @throws {RangeError} if there is none of format 4 */
function segmentsIn(program: Uint8Array): DataView {
  // A copy: what is outside of it is not read.
  const cmap = table(tablesOf(program.slice()), 'cmap')
  const count = cmap.getUint16(2)
  for (let index = 0; index < count; index++) {
    const at = 4 + 8 * index
    const isUnicode =
      cmap.getUint16(at) === 0 || (cmap.getUint16(at) === 3 && cmap.getUint16(at + 2) === 1)
    const start = cmap.getUint32(at + 4)
    if (isUnicode && cmap.getUint16(start) === 4)
      return new DataView(cmap.buffer, cmap.byteOffset + start, cmap.byteLength - start)
  }
  throw new RangeError('the font has no table of characters that is read here')
}

/** How many segments can be passed in the time in which a byte is looked at. */
const SEGMENTS_IN_BYTE = 8

const ENDS = 14

/** How many segments end before a code, of those that are in the file. */
function segmentOf(segments: DataView, code: number): number {
  const count = Math.min(segments.getUint16(6) / 2, Math.floor((segments.byteLength - ENDS) / 2))
  let segment = 0
  while (segment < count && code > segments.getUint16(ENDS + 2 * segment)) segment++
  return segment
}

/** @throws {RangeError} if the table leads out of the file */
function glyphIn(segments: DataView, segment: number, code: number): number {
  const doubled = segments.getUint16(6)
  if (2 * segment >= doubled) return 0
  const starts = ENDS + 2 * segment + 2 + doubled
  const first = segments.getUint16(starts)
  if (code < first) return 0
  const [deltas, offsets] = [starts + doubled, starts + 2 * doubled]
  const offset = segments.getUint16(offsets)
  const found = offset === 0 ? code : segments.getUint16(offsets + offset + 2 * (code - first))
  return found === 0 ? 0 : (found + segments.getUint16(deltas)) & 0xffff
}
