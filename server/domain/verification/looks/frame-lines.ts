import type { Frame } from './frame.ts'
import {
  type Box,
  cornersOf,
  heightOf,
  intersection,
  isWithin,
  type Point,
  widthOf,
} from './geometry.ts'
import type { Paint } from './marks.ts'

/** In points: how wide a line is at most, and how far from the edge the line of a border is. */
const WIDEST_LINE = 3
const EDGE = 4

/** An area that hides what is below it. */
export const hides = ({ kind, isOpaque }: Paint) => kind !== 'stroke' && isOpaque

/** Whether two looks of one widget draw the same line or area. */
export const isSamePaint = (a: Paint, b: Paint): boolean =>
  a.kind === b.kind &&
  a.isOpaque === b.isOpaque &&
  a.curves.length === b.curves.length &&
  a.lightness === b.lightness &&
  Math.abs(a.lineWidth - b.lineWidth) < 0.1 &&
  a.segments.length === b.segments.length &&
  a.segments.every((segment, at) =>
    segment.every((point, end) => isSamePoint(point, b.segments[at]![end]!)),
  ) &&
  isSameBox(seenOf(a), seenOf(b))

/** What of its box the clip leaves. */
const seenOf = ({ box, clip }: Paint) => intersection(box, clip)

const isSamePoint = ([x1, y1]: Point, [x2, y2]: Point) =>
  Math.abs(x1 - x2) < 0.5 && Math.abs(y1 - y2) < 0.5

const isSameBox = (a: Paint['box'], b: Paint['box']) =>
  isSamePoint([a.left, a.bottom], [b.left, b.bottom]) &&
  isSamePoint([a.right, a.top], [b.right, b.top])

/** Lines along whole edges of the field, or one area no wider than such a line. */
export function isEdge(paint: Paint, { width, height }: Frame): boolean {
  const { box, clip, curves, kind, lineWidth, segments } = paint
  // A clip makes any form of a line.
  if (curves.length > 0 || segments.length === 0 || !isWithin(box, clip, 1)) return false
  if (kind === 'stroke')
    return (
      lineWidth <= WIDEST_LINE &&
      segments.length <= MOST_SIDES &&
      segments.every((segment) => isAlongEdge(segment, lineWidth / 2, width, height))
    )
  if (!isRectangle(paint)) return false
  const [atSide, atFoot] = [edgeOf(width), edgeOf(height)]
  const { left, bottom, right, top } = box
  const isFlat = (top <= atFoot || bottom >= height - atFoot) && right - left >= width * 0.8
  const isThin = (right <= atSide || left >= width - atSide) && top - bottom >= height * 0.8
  return isFlat || isThin
}

/** Of a rectangle and what is written twice of it. */
const MOST_SIDES = 8

/** How far from a side its edge reaches: never into the middle, where the text is. */
const edgeOf = (size: number) => Math.min(EDGE, size / 4)

function isAlongEdge(
  [[x1, y1], [x2, y2]]: readonly [Point, Point],
  half: number,
  width: number,
  height: number,
) {
  const isNearSide = (value: number, size: number) =>
    value + half <= edgeOf(size) || value - half >= size - edgeOf(size)
  const isFlat = Math.abs(y1 - y2) < 0.1 && isNearSide(y1, height)
  const isSteep = Math.abs(x1 - x2) < 0.1 && isNearSide(x1, width)
  return (
    (isFlat && Math.abs(x1 - x2) >= width * 0.8 - 2 * EDGE) ||
    (isSteep && Math.abs(y1 - y2) >= height * 0.8 - 2 * EDGE)
  )
}

/** Its four sides, once around. */
export function isRectangle({ segments, curves, box }: Paint): boolean {
  const isSide = ([[x1, y1], [x2, y2]]: readonly [Point, Point]) =>
    (isNear(x1, x2) && (isNear(x1, box.left) || isNear(x1, box.right))) ||
    (isNear(y1, y2) && (isNear(y1, box.bottom) || isNear(y1, box.top)))
  const starts = new Set(
    segments.map(([from]) => cornersOf(box).findIndex((corner) => isSamePoint(corner, from))),
  )
  const isAround = segments.length === 4 && starts.size === 4 && !starts.has(-1)
  return curves.length === 0 && isAround && segments.every(isSide)
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 0.5

/**
 * An area on which the whole text stands, or a slanted border: all its corners are at those of the field. A smaller one,
 * or one with other corners, could be a letter.
 */
export function isGround(paint: Paint, { width, height }: Frame): boolean {
  const { curves, segments } = paint
  const box: Box = seenOf(paint)
  const isAtSide = (value: number, size: number) => value <= EDGE || value >= size - EDGE
  return (
    curves.length === 0 &&
    segments.length <= MOST_SIDES &&
    segments.flat().every(([x, y]) => isAtSide(x, width) && isAtSide(y, height)) &&
    widthOf(box) >= width * 0.8 - 2 * EDGE &&
    heightOf(box) >= height * 0.8 - 2 * EDGE
  )
}
