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
  const quads = quadsOf(document, mark.get('QuadPoints'))
  if (quads === undefined || quads.length > MOST_QUADS) return false
  return areApart(quads.map(boxAround)) && (isHighlight || quads.every(hasThinLine))
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
const MOST_QUADS = 200
/** In points: lower than the lines of a text. */
const LOWEST = 4

/** The four corners of a piece of text, as programs write them: the left one and the right one above, then below. */
type Quad = readonly [Point, Point, Point, Point]

/** Undefined for what is no list of them. */
function quadsOf(document: PdfDocument, written: PdfObject | undefined): Quad[] | undefined {
  const list = document.resolve(written)
  if (list === null) return []
  const numbers = isArray(list) ? list.items.map(document.resolve) : [null]
  if (!numbers.every((one) => typeof one === 'number') || numbers.length % 8 > 0) return undefined
  return Array.from({ length: numbers.length / 8 }, (_, at) => {
    const [a, b, c, d, e, f, g, h] = numbers.slice(8 * at, 8 * at + 8) as number[]
    return [
      [a!, b!],
      [c!, d!],
      [e!, f!],
      [g!, h!],
    ]
  })
}

/** Readers draw a line that is as wide as a part of the distance between the corners above and below. */
function hasThinLine([aboveLeft, aboveRight, belowLeft, belowRight]: Quad): boolean {
  const height = Math.max(distance(aboveLeft, belowLeft), distance(aboveRight, belowRight))
  return height * LINE_PART <= WIDEST_LINE
}
const LINE_PART = 1 / 16
/** A line through or below a word, in points. */
export const WIDEST_LINE = 3

const distance = ([x1, y1]: Point, [x2, y2]: Point) => Math.hypot(x1 - x2, y1 - y2)

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
