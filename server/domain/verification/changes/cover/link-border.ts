import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isDictionary, type PdfObject } from '#server/domain/pdf/object.ts'
import {
  type Box,
  cornersOf,
  grownBy,
  type Segment,
} from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint } from '#server/domain/verification/looks/marks.ts'

/**
 * The border that some readers draw around a link; undefined for a link without one.
 *
 * @see ISO 32000-2:2020, 12.5.4 and table 166, entry "Border"
 */
export function linkBorder(
  document: PdfDocument,
  link: ReadonlyMap<string, PdfObject>,
  box: Box,
): Paint | undefined {
  const lineWidth = widthOf(document, link)
  if (lineWidth === 0) return undefined
  const corners = cornersOf(box)
  const segments = corners.map((corner, at): Segment => [corner, corners[(at + 1) % 4]!])
  return {
    ...plainPaint('stroke', box, grownBy(box, lineWidth)),
    segments,
    lineWidth,
    lightness: 0,
  }
}

/** A width that is no number is read in one way or another. */
function widthOf(document: PdfDocument, link: ReadonlyMap<string, PdfObject>): number {
  const style = document.resolve(link.get('BS'))
  const border = document.resolve(link.get('Border'))
  const written = isDictionary(style)
    ? entriesOf(style).get('W')
    : isArray(border)
      ? border.items[2]
      : undefined
  const width = document.resolve(written)
  return typeof width === 'number' ? Math.max(0, width) : 1
}
