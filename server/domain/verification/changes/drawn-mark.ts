import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, isName, type PdfObject } from '#server/domain/pdf/object.ts'
import { lightnessOf } from '#server/domain/verification/looks/colour.ts'
import {
  areaOf,
  type Box,
  boxAround,
  boxIn,
  grownBy,
  heightOf,
  intersection,
  isWithin,
  type Point,
} from '#server/domain/verification/looks/geometry.ts'
import type { Trace } from '#server/domain/verification/looks/marks.ts'
import { isLight } from './cover/mark-box.ts'

/**
 * Whether a mark of a text that has no look, so that readers draw it, leaves the text legible: highlights are multiplied,
 * the other marks are lines.
 *
 * @see ISO 32000-2:2020, 12.5.6.10
 */
export function isDrawnLegibly(document: PdfDocument, mark: Entries): boolean {
  const isHighlight = kindOf(document, mark) === 'Highlight'
  if (isHighlight && lightnessIn(document, mark) < DARKEST_HIGHLIGHT) return false
  const quads = quadsOf(document, mark.get('QuadPoints'))
  const place = boxIn(document, mark.get('Rect'))
  if (!quads || quads.length > MOST_QUADS || !place) return false
  const boxes = quads.map(boxAround)
  return (
    // Elsewhere it is not found among what is drawn over one place.
    boxes.every((box) => isWithin(box, place, HAIR)) &&
    areApart(boxes) &&
    (isHighlight || quads.every(hasThinLine))
  )
}

/** What readers draw of a mark of a text that has no look; nothing of any other annotation. */
export function tracesByReaders(document: PdfDocument, mark: Entries): Trace[] {
  const kind = kindOf(document, mark)
  const band = Object.hasOwn(BANDS, kind) ? BANDS[kind] : undefined
  if (!band) return []
  const part = kind === 'Highlight' ? 1 - lightnessIn(document, mark) : LINE_IN_BAND
  const quads = quadsOf(document, mark.get('QuadPoints')) ?? []
  return quads.slice(0, MOST_QUADS).map((quad) => ({ box: bandOf(quad, band), part }))
}

/**
 * What one reader or another draws above all that is there: the icon of a note that has no look, the window of one that
 * is open, a pale line through or below a text. Undefined for other annotations, and where it may be anywhere.
 *
 * @param isTurned the page is: some readers turn the icon back, about its corner above at the left
 */
export function areasByReaders(
  document: PdfDocument,
  annotation: Entries,
  isTurned: boolean,
): Box[] | undefined {
  const kind = kindOf(document, annotation)
  const isOpen = document.resolve(annotation.get('Open')) === true
  if (kind === 'Popup' && !isOpen) return []
  const place = boxIn(document, annotation.get('Rect'))
  if (!place) return undefined
  if (kind === 'Text') {
    const icons = iconsOf(place, firstCorner(document, annotation))
    return isTurned ? icons.map(aroundCorner) : icons
  }
  if (kind === 'Popup') return [windowOf(place)]
  const isLine = kind !== 'Highlight' && Object.hasOwn(BANDS, kind)
  const isPale = isLight({ lightness: lightnessIn(document, annotation) })
  return isLine && isPale ? tracesByReaders(document, annotation).map(({ box }) => box) : undefined
}

/** Poppler, pdf.js and Ghostscript draw it at the corner above, MuPDF in the middle, PDFium at the corner that is written first. */
function iconsOf({ left, bottom, right, top }: Box, [firstX, firstY]: Point): Box[] {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return [
    { left, bottom: top - ICON, right: left + ICON, top: top + HAIR },
    grownBy({ left: x, bottom: y, right: x, top: y }, ICON_IN_MIDDLE / 2),
    { left: firstX, bottom: firstY, right: firstX + ICON, top: firstY + ICON },
  ]
}

const aroundCorner = ({ left, top }: Box): Box =>
  grownBy({ left, bottom: top, right: left, top }, ICON)

/** Ghostscript draws it with a bar for its title, however low its place is. */
const windowOf = ({ left, bottom, right, top }: Box): Box => ({
  ...{ left, top },
  bottom: Math.min(bottom, top - SMALLEST_WINDOW),
  right: Math.max(right, left + SMALLEST_WINDOW),
})

/** In points. */
const [ICON, ICON_IN_MIDDLE, SMALLEST_WINDOW] = [24, 20, 30] as const

function firstCorner(document: PdfDocument, annotation: Entries): Point {
  const written = document.resolve(annotation.get('Rect'))
  const [x, y] = isArray(written) ? written.items.map(document.resolve) : []
  return [Number(x), Number(y)]
}

type Entries = ReadonlyMap<string, PdfObject>

function kindOf(document: PdfDocument, mark: Entries): string {
  const subtype = document.resolve(mark.get('Subtype'))
  return isName(subtype) ? subtype.value : ''
}

/** Readers draw a highlight of no colour in black. */
function lightnessIn(document: PdfDocument, mark: Entries): number {
  const colour = document.resolve(mark.get('C'))
  const components = isArray(colour) ? colour.items.map(document.resolve) : []
  const operator = OPERATORS[components.length]
  return (operator === undefined ? undefined : lightnessOf(operator, components)) ?? 0
}

const OPERATORS: Record<number, string> = { 1: 'g', 3: 'rg', 4: 'k' }
/** Of one alone: programs offer green, which has 0.59. All together are judged by their ink. */
const DARKEST_HIGHLIGHT = 0.5

/** More than a page has lines. */
const MOST_QUADS = 200
/** In points: lower than the lines of a text. */
const LOWEST = 4
const HAIR = 1

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

/** From below (0) to above (1): where one reader or another draws a mark. */
const BANDS: Record<string, readonly [from: number, to: number]> = {
  Highlight: [0, 1],
  Underline: [0, 0.2],
  Squiggly: [-0.05, 0.2],
  StrikeOut: [0.39, 0.51],
}
/** Which part of its band a line blackens, at most. */
const LINE_IN_BAND = 0.5

function bandOf([aboveLeft, aboveRight, belowLeft, belowRight]: Quad, band: readonly number[]) {
  return boxAround(
    band.flatMap((part) => [
      between(belowLeft, aboveLeft, part),
      between(belowRight, aboveRight, part),
    ]),
  )
}

const between = ([x1, y1]: Point, [x2, y2]: Point, part: number): Point => [
  x1 + part * (x2 - x1),
  y1 + part * (y2 - y1),
]

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
