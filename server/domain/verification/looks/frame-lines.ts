import type { Frame } from './frame.ts'
import type { Point } from './geometry.ts'
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
  a.curves === b.curves &&
  a.lightness === b.lightness &&
  Math.abs(a.lineWidth - b.lineWidth) < 0.1 &&
  a.segments.length === b.segments.length &&
  a.segments.every((segment, at) =>
    segment.every((point, end) => isSamePoint(point, b.segments[at]![end]!)),
  ) &&
  isSameBox(a.box, b.box)

const isSamePoint = ([x1, y1]: Point, [x2, y2]: Point) =>
  Math.abs(x1 - x2) < 0.5 && Math.abs(y1 - y2) < 0.5

const isSameBox = (a: Paint['box'], b: Paint['box']) =>
  isSamePoint([a.left, a.bottom], [b.left, b.bottom]) &&
  isSamePoint([a.right, a.top], [b.right, b.top])

/** A line along whole edges of the field, or an area no wider than such a line. */
export function isEdge(paint: Paint, { width, height }: Frame): boolean {
  if (paint.curves > 0 || paint.segments.length === 0) return false
  if (paint.kind === 'stroke')
    return (
      paint.lineWidth <= WIDEST_LINE &&
      paint.segments.every((segment) => isAlongEdge(segment, width, height))
    )
  const { left, bottom, right, top } = paint.box
  const isFlat = (top <= EDGE || bottom >= height - EDGE) && right - left >= width * 0.8
  const isThin = (right <= EDGE || left >= width - EDGE) && top - bottom >= height * 0.8
  return (isFlat && top - bottom <= EDGE) || (isThin && right - left <= EDGE)
}

function isAlongEdge([[x1, y1], [x2, y2]]: readonly [Point, Point], width: number, height: number) {
  const isNearSide = (value: number, size: number) => value <= EDGE || value >= size - EDGE
  const isFlat = Math.abs(y1 - y2) < 0.1 && isNearSide(y1, height)
  const isSteep = Math.abs(x1 - x2) < 0.1 && isNearSide(x1, width)
  return (
    (isFlat && Math.abs(x1 - x2) >= width * 0.8 - 2 * EDGE) ||
    (isSteep && Math.abs(y1 - y2) >= height * 0.8 - 2 * EDGE)
  )
}
