import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { isStream, type PdfObject, type PdfStream } from '#server/domain/pdf/object.ts'
import type { GlyphBounds } from '#server/domain/pdf/outlines/bounds.ts'
import { glyphBounds } from '#server/domain/pdf/outlines/glyph-bounds.ts'

type Descriptor = ReadonlyMap<string, PdfObject>

/** The entries of a font descriptor that embed the letters. @see ISO 32000-2:2020, table 124 */
const FILES = ['FontFile', 'FontFile2', 'FontFile3']

export const hasFontFile = (descriptor: Descriptor) => FILES.some((key) => descriptor.has(key))

/** The font file of a descriptor; undefined if it has several, of which readers differ in which they take. */
export function onlyFontFile(descriptor: Descriptor): PdfObject | undefined {
  const files = FILES.filter((key) => descriptor.has(key))
  return files.length === 1 ? descriptor.get(files[0]!) : undefined
}

/** How far the letters of a descriptor reach; undefined when that is not computed. For `once`. */
export function measuredFiles(document: PdfDocument): (of: Descriptor) => GlyphBounds | undefined {
  // By the number of its object: many fonts may name one file.
  const known = new Map<number, GlyphBounds | undefined>()
  return (descriptor) => {
    const program = document.resolve(onlyFontFile(descriptor))
    if (!isStream(program)) return undefined
    const { number } = program.owner
    if (!known.has(number)) known.set(number, boundsIn(document, program))
    return known.get(number)
  }
}

/** In bytes: more than the largest fonts for Chinese have. */
export const MAX_FONT = 32 << 20

function boundsIn(document: PdfDocument, program: PdfStream): GlyphBounds | undefined {
  try {
    return glyphBounds(document.decoded(program, MAX_FONT), document.meter)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}
