import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isNamed, type PdfObject } from '#server/domain/pdf/object.ts'

/** In thousandths, if the font does not say another width. */
const DEFAULT_WIDTH = 1000
/** As many as a font has glyphs, twice. */
const MOST_WIDTHS = 1 << 17

/** The width of a code in thousandths; undefined if the font does not state it. */
export type WidthOf = (code: number) => number | undefined

/**
 * The widths of a composite font. Only codes that are CIDs themselves have one: other encodings are not read.
 *
 * @see ISO 32000-2:2020, 9.7.4.3
 */
export function compositeWidths(
  document: PdfDocument,
  font: ReadonlyMap<string, PdfObject>,
): WidthOf {
  if (!isNamed(document.resolve(font.get('Encoding')), 'Identity-H')) return () => undefined
  const below = document.resolve(font.get('DescendantFonts'))
  const inner = entriesOf(document.resolve(isArray(below) ? below.items[0] : undefined))
  const stated = document.resolve(inner.get('DW'))
  const usual = typeof stated === 'number' ? stated : DEFAULT_WIDTH
  const list = document.resolve(inner.get('W'))
  const widths = isArray(list) ? widthsIn(document, list.items) : new Map<number, number>()
  return (code) => (widths ? (widths.get(code) ?? usual) : undefined)
}

/** @see ISO 32000-2:2020, table C.1 */
const isCid = (value: PdfObject): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff

/** Undefined when they are too many, or not of a font. */
function widthsIn(
  document: PdfDocument,
  items: readonly PdfObject[],
): Map<number, number> | undefined {
  const widths = new Map<number, number>()
  let left = MOST_WIDTHS
  const set = (code: number, width: PdfObject) => {
    left--
    if (typeof width === 'number') widths.set(code, width)
  }
  for (let at = 0; at + 1 < items.length; ) {
    const [first, next] = [document.resolve(items[at]), document.resolve(items[at + 1])]
    if (!isCid(first)) return undefined
    if (isArray(next)) {
      for (const [place, width] of next.items.entries()) set(first + place, document.resolve(width))
      at += 2
    } else {
      if (!isCid(next) || next - first >= left) return undefined
      const width = document.resolve(items[at + 2])
      for (let code = first; code <= next; code++) set(code, width)
      at += 3
    }
    if (left < 0) return undefined
  }
  return widths
}
