import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, type PdfObject } from '#server/domain/pdf/object.ts'

/** [a b c d e f]: x' = a·x + c·y + e, y' = b·x + d·y + f. @see ISO 32000-2:2020, 8.3.4 */
export type Matrix = readonly [number, number, number, number, number, number]
export type Point = readonly [x: number, y: number]
export type Segment = readonly [start: Point, end: Point]
/** The control points of a curve. @see ISO 32000-2:2020, 8.5.2.2 */
export type Arc = readonly [start: Point, Point, Point, end: Point]
export type Box = {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** The matrix that does `first`, then `second`. */
export const product = (first: Matrix, second: Matrix): Matrix => [
  first[0] * second[0] + first[1] * second[2],
  first[0] * second[1] + first[1] * second[3],
  first[2] * second[0] + first[3] * second[2],
  first[2] * second[1] + first[3] * second[3],
  first[4] * second[0] + first[5] * second[2] + second[4],
  first[4] * second[1] + first[5] * second[3] + second[5],
]

export const transformed = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** Readers take larger numbers for others. */
export const LARGEST_NUMBER = 2 ** 31 - 1

/** Undefined when one of the values is no number. */
function numbersIn(document: PdfDocument, written: PdfObject | undefined): number[] | undefined {
  const array = document.resolve(written)
  const items = isArray(array) ? array.items.map(document.resolve) : []
  const numbers = items.filter(
    (item) => typeof item === 'number' && Math.abs(item) <= LARGEST_NUMBER,
  )
  return isArray(array) && numbers.length === items.length ? (numbers as number[]) : undefined
}

export function matrixIn(
  document: PdfDocument,
  written: PdfObject | undefined,
): Matrix | undefined {
  if (document.resolve(written) === null) return IDENTITY
  const numbers = numbersIn(document, written)
  return numbers?.length === 6 ? (numbers as unknown as Matrix) : undefined
}

/** The rectangle that an array of four numbers names, by any two opposite corners. */
export function boxIn(document: PdfDocument, written: PdfObject | undefined): Box | undefined {
  const [x1, y1, x2, y2, ...more] = numbersIn(document, written) ?? []
  if (x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined) return undefined
  if (more.length > 0) return undefined
  return boxAround([
    [x1, y1],
    [x2, y2],
  ])
}

export function boxAround(points: readonly Point[]): Box {
  const box = {
    left: Number.POSITIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.NEGATIVE_INFINITY,
  }
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  return box
}

export const cornersOf = ({ left, bottom, right, top }: Box): Point[] => [
  [left, bottom],
  [right, bottom],
  [right, top],
  [left, top],
]

export const intersection = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.min(a.right, b.right),
  top: Math.min(a.top, b.top),
})

export const widthOf = ({ left, right }: Box) => Math.max(0, right - left)
export const heightOf = ({ bottom, top }: Box) => Math.max(0, top - bottom)
export const areaOf = (box: Box) => widthOf(box) * heightOf(box)

export const grownBy = ({ left, bottom, right, top }: Box, by: number): Box => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

/** Whether two boxes share more than a hair. */
export const overlaps = (a: Box, b: Box) => {
  const both = intersection(a, b)
  return widthOf(both) > 0.5 && heightOf(both) > 0.5
}

/** Whether two boxes share a point; lines are boxes without an area. */
export const meets = (a: Box, b: Box) => {
  const both = intersection(a, b)
  return both.left <= both.right && both.bottom <= both.top
}

/** Whether `inner` is inside of `outer`, or no more than `tolerance` outside. */
export const isWithin = (inner: Box, outer: Box, tolerance: number): boolean =>
  inner.left >= outer.left - tolerance &&
  inner.right <= outer.right + tolerance &&
  inner.bottom >= outer.bottom - tolerance &&
  inner.top <= outer.top + tolerance

/** Whether a straight line runs through the box: each edge cuts off the part of the line beyond it. */
export function crosses([start, end]: Segment, box: Box): boolean {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const edges = [
    [-dx, start[0] - box.left],
    [dx, box.right - start[0]],
    [-dy, start[1] - box.bottom],
    [dy, box.top - start[1]],
  ] as const
  let [from, to] = [0, 1]
  for (const [outwards, distance] of edges) {
    if (outwards === 0 && distance < 0) return false
    if (outwards < 0) from = Math.max(from, distance / outwards)
    if (outwards > 0) to = Math.min(to, distance / outwards)
  }
  return from <= to
}
