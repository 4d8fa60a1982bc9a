import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, isArray, isNamed, isStream, type PdfStream } from '#server/domain/pdf/object.ts'
import { type Densities, densestOf } from '#server/domain/pdf/outlines/densest-part.ts'
import { type GlyphDensities, glyphDensities } from '#server/domain/pdf/outlines/glyph-densities.ts'
import { winAnsiName } from '#server/domain/pdf/win-ansi-names.ts'
import { MAX_FONT, onlyFontFile } from './font-files.ts'
import { descriptorOf, type LookFont } from './look-font.ts'

/** What these letters of a font fill, the densest of them; undefined when that is not computed. */
type LetterDensities = (codes: Uint8Array) => Densities | undefined

/** What the letters that come with the file fill. For `once`: each font file is measured once. */
export function letterDensities(document: PdfDocument): (font: LookFont) => LetterDensities {
  const fonts = new WeakMap<LookFont, LetterDensities>()
  const files = new Map<number, GlyphDensities | undefined>()
  const densitiesIn = (program: PdfStream) => {
    const { number } = program.owner
    if (!files.has(number)) files.set(number, measured(document, program))
    return files.get(number)
  }
  return (font) => {
    const known = fonts.get(font) ?? densitiesOf(document, font, densitiesIn)
    fonts.set(font, known)
    return known
  }
}

function measured(document: PdfDocument, program: PdfStream): GlyphDensities | undefined {
  try {
    return glyphDensities(document.decoded(program, MAX_FONT), document.meter)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

function densitiesOf(
  document: PdfDocument,
  { written }: LookFont,
  densitiesIn: (program: PdfStream) => GlyphDensities | undefined,
): LetterDensities {
  const entries = entriesOf(document.resolve(written))
  const program = document.resolve(onlyFontFile(descriptorOf(document, entries)))
  const glyphs = isStream(program) ? densitiesIn(program) : undefined
  if (!glyphs) return () => undefined
  const glyphsOf = glyphFinder(document, entries, glyphs)
  return (codes) => {
    document.meter.spend(codes.length)
    const numbers = glyphsOf(codes)
    if (!numbers) return glyphs.all()
    const own = numbers.map(glyphs.of)
    const known = own.filter((one) => one !== undefined)
    return known.length === own.length ? densestOf(known) : undefined
  }
}

/** The glyphs of codes, each once; undefined where readers may differ. */
type GlyphFinder = (codes: Uint8Array) => readonly number[] | undefined

function glyphFinder(document: PdfDocument, font: Entries, glyphs: GlyphDensities): GlyphFinder {
  if (glyphs.isTrueType && namesGlyphs(document, font))
    return (codes) => (codes.length % 2 === 0 ? numbersIn(codes) : undefined)
  const byName = usesNames(document, font) ? glyphs.byName() : undefined
  if (!byName) return () => undefined
  return (codes) => {
    const found = [...new Set(codes)].map((code) => byName.get(winAnsiName(code) ?? ''))
    const known = found.filter((glyph) => glyph !== undefined)
    return known.length === found.length ? known : undefined
  }
}

/** Each once. */
const numbersIn = (codes: Uint8Array): number[] => [
  ...new Set(
    Array.from({ length: codes.length / 2 }, (_, at) => codes[2 * at]! * 256 + codes[2 * at + 1]!),
  ),
]

/** Whether a code of two bytes is the number of a glyph. @see ISO 32000-2:2020, 9.7.4.2 and 9.7.5.2 */
function namesGlyphs(document: PdfDocument, font: Entries): boolean {
  const below = document.resolve(font.get('DescendantFonts'))
  const inner = entriesOf(document.resolve(isArray(below) ? below.items[0] : null))
  const map = document.resolve(inner.get('CIDToGIDMap'))
  return (
    isNamed(document.resolve(font.get('Subtype')), 'Type0') &&
    isNamed(document.resolve(font.get('Encoding')), 'Identity-H') &&
    isNamed(document.resolve(inner.get('Subtype')), 'CIDFontType2') &&
    (map === null || isNamed(map, 'Identity'))
  )
}

/** Whether a code of a byte is that of a name. @see ISO 32000-2:2020, 9.6.5.2 */
const usesNames = (document: PdfDocument, font: Entries) =>
  isNamed(document.resolve(font.get('Subtype')), 'Type1') &&
  isNamed(document.resolve(font.get('Encoding')), 'WinAnsiEncoding')

type Entries = ReturnType<typeof entriesOf>
