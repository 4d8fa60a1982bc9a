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
import { compositeWidths } from './composite-widths.ts'
import { hasFontFile, measuredFiles } from './font-files.ts'
import { fontNamed } from './named-fonts.ts'
import { unicodeCodes } from './unicode-codes.ts'

/** How a font of a look reads and measures. */
export type LookFont = {
  /** As the resources name it. */
  readonly written: PdfObject
  /**
   * What the letters are that readers draw; undefined when the font does not say it, or says two things, or when they
   * stand on top of each other.
   */
  read(codes: Uint8Array): string | undefined
  measure(codes: Uint8Array): Measure
  /** Whether the next letter stands beside the last of these: readers differ about those without a width. */
  movesAfter(codes: Uint8Array): boolean
  /** Its letters are pictures or signs, made by instructions or by a font of symbols. */
  readonly drawsSigns: boolean
  /** Its letters are made by instructions: they are as large as these say. */
  readonly isDrawn: boolean
  /** The letters come with the file. */
  readonly isEmbedded: boolean
  /** How far letters that come with the file reach; undefined when that is not computed. */
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
  const hasWidth = widthsOf(document, entries, { isEmbedded })
  return {
    written,
    read: isComposite
      ? byTableOrUnicode(document, entries)
      : apart(isEmbedded ? fontTextOf(document, font) : byCodes(document, font), hasWidth),
    measure: isComposite ? measureComposite(document, entries) : measureSimple(document, entries),
    movesAfter: (codes) => isComposite || hasWidth(codes.at(-1)!),
    drawsSigns: isSymbolic || isDrawn,
    isDrawn,
    isEmbedded,
    bounds: () => document.once(measuredFiles)(descriptor),
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

const apart =
  (read: LookFont['read'], hasWidth: (code: number) => boolean): LookFont['read'] =>
  (codes) =>
    codes.subarray(0, -1).every(hasWidth) ? read(codes) : undefined

/**
 * Whether a letter moves the next one as far as letters do. Many readers stack the letters that the list of widths
 * lacks, MuPDF whatever the missing width; all of them stack letters of their own to which the list gives no width, so
 * that 8000 reads as 80. Spaces are left out: nothing is seen of them.
 *
 * @see ISO 32000-2:2020, table 109, entry "Widths"
 */
function widthsOf(
  document: PdfDocument,
  font: ReadonlyMap<string, PdfObject>,
  { isEmbedded }: { isEmbedded: boolean },
) {
  const list = document.resolve(font.get('Widths'))
  const first = document.resolve(font.get('FirstChar'))
  const widths = isArray(list) ? list.items : undefined
  const start = typeof first === 'number' ? first : 0
  return (code: number) => {
    if (code === SPACE || !widths) return true
    const width = document.resolve(widths[code - start])
    return typeof width === 'number' && (isEmbedded || isUsualWidth(code, width))
  }
}

/** Letters and digits of narrow and wide fonts; a sign may be of any width. */
function isUsualWidth(code: number, width: number): boolean {
  if (!/[0-9A-Za-z]/.test(String.fromCharCode(code))) return width >= 0
  const usual = USUAL_WIDTHS[code]!
  return width >= usual * NARROWEST_PART && width <= usual * WIDEST_PART
}

const [NARROWEST_PART, WIDEST_PART] = [0.45, 2.5] as const

const SPACE = 0x20

export function descriptorOf(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  const below = document.resolve(font.get('DescendantFonts'))
  const inner = isArray(below) ? entriesOf(document.resolve(below.items[0])) : font
  return entriesOf(document.resolve(inner.get('FontDescriptor')))
}

/** In thousandths, of letters whose width is not known. */
const [NARROW, WIDE] = [180, 1000] as const

/** Of the letters of the usual fonts, by how wide they are made. */
const USUAL: readonly (readonly [RegExp, number])[] = [
  [/[\s!'()*,./:;I[\\\]`fijlrt|¡¨´·Ììí]/u, 280],
  [/[%@MWmw©®Œœ]/u, 870],
  [/[A-ZÀ-Þ]/u, 680],
]
const MONOSPACED = /courier|mono\b|consolas/i
const MONOSPACED_WIDTH = 600

/** In thousandths: how much the width of a letter differs from the usual one, at most, on average of a text. */
const SLACK = { simple: 140, composite: 500 } as const

const USUAL_WIDTHS = Array.from(
  { length: 256 },
  (_, code) => USUAL.find(([letters]) => letters.test(String.fromCharCode(code)))?.[1] ?? 540,
)

/** In thousandths: the width that the font states, undefined for none, and the one that most fonts have. */
type WidthsOf = { stated(code: number): number | undefined; usual(code: number): number }

function measureComposite(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  const widths: WidthsOf = { stated: compositeWidths(document, font), usual: () => 500 }
  return (codes: Uint8Array): Measure => {
    const count = Math.ceil(codes.length / 2)
    const codeAt = (at: number) => codes[2 * at]! * 256 + (codes[2 * at + 1] ?? 0)
    return measured(count, codeAt, widths, SLACK.composite)
  }
}

function measureSimple(document: PdfDocument, font: ReadonlyMap<string, PdfObject>) {
  const first = document.resolve(font.get('FirstChar'))
  const list = document.resolve(font.get('Widths'))
  const items = isArray(list) ? list.items : []
  const name = document.resolve(font.get('BaseFont'))
  const isMonospaced = isName(name) && MONOSPACED.test(name.value)
  const start = typeof first === 'number' ? first : 0
  const widths: WidthsOf = {
    stated(code) {
      const width = document.resolve(items[code - start])
      return typeof width === 'number' ? width : undefined
    },
    usual: (code) => (isMonospaced ? MONOSPACED_WIDTH : USUAL_WIDTHS[code]!),
  }
  return (codes: Uint8Array): Measure =>
    measured(codes.length, (at) => codes[at]!, widths, SLACK.simple)
}

/** Texts may be long: they are measured without a list of their letters. */
function measured(
  letters: number,
  codeAt: (at: number) => number,
  widths: WidthsOf,
  slack: number,
): Measure {
  let [known, likely, unknown] = [0, 0, 0]
  for (let at = 0; at < letters; at++) {
    const code = codeAt(at)
    const stated = widths.stated(code)
    likely += stated ?? widths.usual(code)
    if (stated === undefined) unknown++
    else known += stated
  }
  return {
    letters,
    least: (known + unknown * NARROW) / 1000,
    likely: likely / 1000,
    most: (known + unknown * WIDE) / 1000,
    slack: (unknown * slack) / 1000,
  }
}
