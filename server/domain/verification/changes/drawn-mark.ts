import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, type PdfObject } from '#server/domain/pdf/object.ts'
import { lightnessOf } from '#server/domain/verification/looks/colour.ts'
import {
  areaOf,
  type Box,
  boxAround,
  heightOf,
  intersection,
  type Point,
} from '#server/domain/verification/looks/geometry.ts'

/**
 * Whether a mark of a text that has no look, so that readers draw it, leaves the text legible: highlights are multiplied,
 * the other marks are lines.
 *
 * @see ISO 32000-2:2020, 12.5.6.10
 */
export function isDrawnLegibly(
  document: PdfDocument,
  mark: ReadonlyMap<string, PdfObject>,
  isHighlight: boolean,
): boolean {
  if (isHighlight && !isPale(document, mark.get('C'))) return false
  const places = placesOf(document, mark.get('QuadPoints'))
  return places !== undefined && places.length <= MOST_PLACES && areApart(places)
}

/** Readers draw a highlight of no colour in black. */
function isPale(document: PdfDocument, written: PdfObject | undefined): boolean {
  const colour = document.resolve(written)
  const components = isArray(colour) ? colour.items.map(document.resolve) : []
  const operator = OPERATORS[components.length]
  const lightness = operator === undefined ? undefined : lightnessOf(operator, components)
  return lightness !== undefined && lightness >= LEAST_PALE
}

const OPERATORS: Record<number, string> = { 1: 'g', 3: 'rg', 4: 'k' }
const LEAST_PALE = 0.5

/** More than a page has lines. */
const MOST_PLACES = 200
/** In points: lower than the lines of a text. */
const LOWEST = 4

/** Around each four points; undefined if they are no such list. */
function placesOf(document: PdfDocument, written: PdfObject | undefined): Box[] | undefined {
  const list = document.resolve(written)
  if (list === null) return []
  const numbers = isArray(list) ? list.items.map(document.resolve) : [null]
  if (!numbers.every((one) => typeof one === 'number') || numbers.length % 8 > 0) return undefined
  return Array.from({ length: numbers.length / 8 }, (_, at) => {
    const [a, b, c, d, e, f, g, h] = numbers.slice(8 * at, 8 * at + 8) as number[]
    const points: Point[] = [
      [a!, b!],
      [c!, d!],
      [e!, f!],
      [g!, h!],
    ]
    return boxAround(points)
  })
}

/** Many marks of one place hide it. */
const areApart = (places: readonly Box[]) =>
  places.every(
    (place, at) =>
      heightOf(place) >= LOWEST &&
      places
        .slice(0, at)
        .every((other) => areaOf(intersection(place, other)) <= areaOf(place) * MOST_SHARED),
  )
const MOST_SHARED = 0.5
