import type { PdfDocument } from './document.ts'
import { isArray, type PdfObject } from './object.ts'
import type { PdfPage } from './pages.ts'

/** In points of 1/72 inch. */
export type PageSize = { readonly width: number; readonly height: number }

/** Left, bottom, right, top. */
type Corners = readonly [number, number, number, number]

/**
 * The size of a page as it is shown and printed: its crop box within its media box, turned by its rotation, in its
 * units. Undefined if the page states no area.
 *
 * @throws {PdfError} `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 14.11.2 and table 31
 */
export function shownSizeOf(
  document: PdfDocument,
  { dictionary, inherited }: PdfPage,
): PageSize | undefined {
  const media = cornersIn(document, inherited.get('MediaBox'))
  const crop = cornersIn(document, inherited.get('CropBox'))
  const box = (media && crop && sharedBy(media, crop)) ?? media ?? crop
  if (!box) return undefined
  const unit = positive(document.resolve(dictionary.entries.get('UserUnit'))) ?? 1
  const [width, height] = [(box[2] - box[0]) * unit, (box[3] - box[1]) * unit]
  if (!Number.isFinite(width) || !Number.isFinite(height)) return undefined
  const turn = document.resolve(inherited.get('Rotate'))
  const isTurned = typeof turn === 'number' && Math.abs(turn % 180) === 90
  return isTurned ? { width: height, height: width } : { width, height }
}

function cornersIn(document: PdfDocument, value: PdfObject | undefined): Corners | undefined {
  const box = document.resolve(value)
  if (!isArray(box) || box.items.length !== 4) return undefined
  const numbers = box.items.map((item) => document.resolve(item))
  if (!numbers.every((number) => typeof number === 'number')) return undefined
  const [x1, y1, x2, y2] = numbers as unknown as Corners
  return withArea([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)])
}

const sharedBy = (one: Corners, other: Corners) =>
  withArea([
    Math.max(one[0], other[0]),
    Math.max(one[1], other[1]),
    Math.min(one[2], other[2]),
    Math.min(one[3], other[3]),
  ])

const withArea = (box: Corners) => (box[2] > box[0] && box[3] > box[1] ? box : undefined)

const positive = (value: PdfObject) => (typeof value === 'number' && value > 0 ? value : undefined)
