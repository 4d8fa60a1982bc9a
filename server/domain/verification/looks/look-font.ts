import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { fontTextOf } from '#server/domain/pdf/font-text.ts'
import {
  dictionary,
  entriesOf,
  isArray,
  isName,
  isNamed,
  isRef,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import type { GlyphBounds } from '#server/domain/pdf/outlines/bounds.ts'
import { compositeWidths, type WidthOf } from './composite-widths.ts'
import { hasFontFile, measuredFiles } from './font-files.ts'
import { areaOf, boxAround, boxIn, cornersOf, matrixIn, transformed } from './geometry.ts'
import { isUsualWidth, usualWidthOf } from './letter-widths.ts'
import { fontNamed } from './named-fonts.ts'
import { unicodeCodes } from './unicode-codes.ts'

/** How a font of a look reads and measures. */
export type LookFont = {
  /** As the resources name it. */
  readonly written: PdfObject
  /** What the letters are that readers draw; undefined when the font does not say it, or says two things. */
  read(codes: Uint8Array): string | undefined
  measure(codes: Uint8Array): Measure
  /** Whether none of these letters stands over another. */
  areApart(codes: Uint8Array): boolean
  /** Whether the next letter stands beside the last of these. */
  movesAfter(codes: Uint8Array): boolean
  /** Its letters are pictures or signs, made by instructions or by a font of symbols. */
  readonly drawsSigns: boolean
  /** Its signs are those of ZapfDingbats, which all readers have. */
  readonly isDingbats: boolean
  /** Its letters are made by instructions: they are as large as these say. */
  readonly isDrawn: boolean
  /** The letters come with the file. */
  readonly isEmbedded: boolean
  /** How far letters that come with the file, or are made by instructions, reach; undefined when that is not computed. */
  bounds(): GlyphBounds | undefined
  readonly isComposite: boolean
  /** Its letters are written downwards. @see ISO 32000-2:2020, 9.7.4.3 */
  readonly isVertical: boolean
}

/** Widths in parts of the size of the letters. */
export type Measure = {
  readonly letters: number
  readonly least: number
  readonly likely: number
  readonly most: number
  /** How much more or less than the likely width it can be, in the usual fonts. */
  readonly slack: number
}

const DINGBATS = /^(?:[A-Z]{6}\+)?ZapfDingbats$/
const SYMBOLS = /symbol|dingbat|webding|wingding|marlett|ornament|emoji|barcode|[ds]050000l/i

/** The fonts that instructions name, each read once. */
export function lookFonts(document: PdfDocument) {
  const fonts = document.once(readFonts)
  return (
    resources: ReadonlyMap<string, PdfObject>,
    name: PdfObject | undefined,
  ): LookFont | undefined => {
    const written = fontNamed(document, resources, name)
    if (written === undefined || document.resolve(written) === null) return undefined
    return fonts(isRef(written) ? written.number : written, () => lookFont(document, written))
  }
}

/** The pages of a large document and the looks of its form share few fonts. */
const MOST_KNOWN = 256

/**
 * The fonts that were read last. One that is an object of its own is known by its number: an object that was read twice
 * is two values.
 */
function readFonts(_: PdfDocument) {
  const fonts = new Map<number | PdfObject, LookFont>()
  return (key: number | PdfObject, read: () => LookFont): LookFont => {
    const found = fonts.get(key) ?? read()
    fonts.delete(key)
    fonts.set(key, found)
    const [oldest = key] = fonts.keys()
    if (fonts.size > MOST_KNOWN) fonts.delete(oldest)
    return found
  }
}

function lookFont(document: PdfDocument, written: PdfObject): LookFont {
  const font = document.resolve(written)
  const entries = entriesOf(font)
  const isComposite = isNamed(document.resolve(entries.get('Subtype')), 'Type0')
  const baseName = document.resolve(entries.get('BaseFont'))
  const isSymbolic = isName(baseName) && SYMBOLS.test(baseName.value)
  const isDrawn = isNamed(document.resolve(entries.get('Subtype')), 'Type3')
  const descriptor = descriptorOf(document, entries)
  const isEmbedded = hasFontFile(descriptor)
  const read = isComposite
    ? byTableOrUnicode(document, entries)
    : isEmbedded
      ? fontTextOf(document, font)
      : byCodes(document, font)
  const letterOf = (code: number) =>
    read(Uint8Array.from(isComposite ? [code >> 8, code & 0xff] : [code]))
  const widths = isComposite ? undefined : simpleWidths(document, entries)
  const widthOf = widths?.widthOf ?? compositeWidths(document, entries)
  const movesNext = byCode((code) => {
    const [letter, width] = [letterOf(code), widthOf(code)]
    // Nothing is seen of a space.
    if (width === undefined) return !widths?.isListed || letter?.trim() === ''
    return isUsualWidth(letter, width, { isEmbedded: isEmbedded || isComposite })
  })
  return {
    written,
    read,
    measure: isComposite
      ? measureComposite(widthOf)
      : measureSimple(document, entries, { widthOf, letterOf }),
    areApart: (codes) =>
      codesIn(codes, { isComposite })
        .slice(0, -1)
        .every((code) => movesNext(code)),
    movesAfter: (codes) => movesNext(codesIn(codes, { isComposite }).at(-1)!),
    drawsSigns: isSymbolic || isDrawn,
    isDingbats: isName(baseName) && DINGBATS.test(baseName.value),
    isDrawn,
    isEmbedded,
    bounds: () =>
      isDrawn ? drawnBounds(document, entries) : document.once(measuredFiles)(descriptor),
    isComposite,
    isVertical: isComposite && isWrittenDownwards(document.resolve(entries.get('Encoding'))),
  }
}

const byTableOrUnicode = (document: PdfDocument, font: ReadonlyMap<string, PdfObject>) =>
  font.has('ToUnicode') ? fontTextOf(document, dictionary(font)) : unicodeCodes(document, font)

/** @see ISO 32000-2:2020, tables 116 and 118 */
const isWrittenDownwards = (encoding: PdfObject) =>
  isName(encoding) ? encoding.value.endsWith('V') : entriesOf(encoding).get('WMode') === 1

/** Readers draw the letters of a font that does not come with the file by its encoding, whatever its table says. */
function byCodes(document: PdfDocument, font: PdfObject) {
  const entries = new Map(entriesOf(font))
  const byTable = entries.has('ToUnicode') ? fontTextOf(document, font) : undefined
  entries.delete('ToUnicode')
  const byEncoding = fontTextOf(document, dictionary(entries))
  return (codes: Uint8Array) => {
    const text = byEncoding(codes)
    return byTable && byTable(codes) !== text ? undefined : text
  }
}

/** What is found, once for each code: a text has many letters, and few different ones. */
function byCode<T>(find: (code: number) => T): (code: number) => T {
  const known = new Map<number, T>()
  return (code) => {
    const found = known.get(code) ?? find(code)
    known.set(code, found)
    return found
  }
}

const codesIn = (codes: Uint8Array, { isComposite }: { isComposite: boolean }) =>
  isComposite
    ? Uint16Array.from(
        { length: Math.ceil(codes.length / 2) },
        (_, at) => codes[2 * at]! * 256 + (codes[2 * at + 1] ?? 0),
      )
    : codes

/**
 * The widths of a simple font, and whether it lists some: many readers stack the letters that the list lacks, MuPDF
 * whatever the missing width.
 *
 * @see ISO 32000-2:2020, table 109, entry "Widths"
 */
function simpleWidths(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  const list = document.resolve(font.get('Widths'))
  const first = document.resolve(font.get('FirstChar'))
  const items = isArray(list) ? list.items : []
  const start = typeof first === 'number' ? first : 0
  const unit = unitOf(document, font)
  const widthOf: WidthOf = (code) => {
    const width = document.resolve(items[code - start])
    return typeof width === 'number' ? width * unit : undefined
  }
  return { isListed: isArray(list), widthOf }
}

/** In thousandths: fonts whose letters are made by instructions have units of their own. @see ISO 32000-2:2020, 9.6.4 */
function unitOf(document: PdfDocument, font: ReadonlyMap<string, PdfObject>): number {
  const matrix = font.has('FontMatrix') ? matrixIn(document, font.get('FontMatrix')) : undefined
  return matrix ? matrix[0] * 1000 : 1
}

/** Undefined for a box without an area, which says nothing. @see ISO 32000-2:2020, table 110, entry "FontBBox" */
function drawnBounds(
  document: PdfDocument,
  font: ReadonlyMap<string, PdfObject>,
): GlyphBounds | undefined {
  const box = boxIn(document, font.get('FontBBox'))
  const matrix = matrixIn(document, font.get('FontMatrix'))
  if (!box || !matrix || areaOf(box) === 0) return undefined
  return boxAround(cornersOf(box).map((corner) => transformed(matrix, corner)))
}

export function descriptorOf(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  const below = document.resolve(font.get('DescendantFonts'))
  const inner = isArray(below) ? entriesOf(document.resolve(below.items[0])) : font
  return entriesOf(document.resolve(inner.get('FontDescriptor')))
}

/** In thousandths, of letters whose width is not known. */
const [NARROW, WIDE] = [180, 1000] as const

const MONOSPACED = /courier|mono\b|consolas/i
const MONOSPACED_WIDTH = 600

/** In thousandths: how much the width of a letter differs from the usual one, at most, on average of a text. */
const SLACK = { simple: 140, composite: 500 } as const

/** In thousandths: the width that the font states, undefined for none, and the one that most fonts have. */
type Widths = { stated: WidthOf; usual(code: number): number }

function measureComposite(stated: WidthOf) {
  const widths: Widths = { stated, usual: () => 500 }
  return (codes: Uint8Array): Measure =>
    measured(codesIn(codes, { isComposite: true }), widths, SLACK.composite)
}

function measureSimple(
  document: PdfDocument,
  font: ReadonlyMap<string, PdfObject>,
  { widthOf, letterOf }: { widthOf: WidthOf; letterOf(code: number): string | undefined },
) {
  const name = document.resolve(font.get('BaseFont'))
  const isMonospaced = isName(name) && MONOSPACED.test(name.value)
  const widths: Widths = {
    stated: widthOf,
    usual: byCode((code) =>
      isMonospaced ? MONOSPACED_WIDTH : usualWidthOf(letterOf(code) ?? String.fromCharCode(code)),
    ),
  }
  return (codes: Uint8Array): Measure => measured(codes, widths, SLACK.simple)
}

function measured(codes: Uint8Array | Uint16Array, widths: Widths, slack: number): Measure {
  let [known, likely, unknown] = [0, 0, 0]
  for (const code of codes) {
    const stated = widths.stated(code)
    likely += stated ?? widths.usual(code)
    if (stated === undefined) unknown++
    else known += stated
  }
  return {
    letters: codes.length,
    least: (known + unknown * NARROW) / 1000,
    likely: likely / 1000,
    most: (known + unknown * WIDE) / 1000,
    slack: (unknown * slack) / 1000,
  }
}
