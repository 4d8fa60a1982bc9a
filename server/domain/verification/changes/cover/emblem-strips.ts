import type { Arc, Point, Segment } from '#server/domain/verification/looks/geometry.ts'
import { heightOf } from '#server/domain/verification/looks/geometry.ts'
import type { Paint, Trace } from '#server/domain/verification/looks/marks.ts'

/** In points, and how many a form has at most. */
const STRIP = 1
const MOST_STRIPS = 400
/** Into how many lines a curve is divided. */
const CHORDS = 8

/** The area of a form with any outline, as low strips. By the rule of winding numbers: it fills no less than the other one. */
export function stripsOf(paint: Paint): Trace[] {
  const { box, segments, closings, arcs } = paint
  const edges = [...segments, ...closings, ...arcs.flatMap(chordsOf)]
  const step = Math.max(STRIP, heightOf(box) / MOST_STRIPS)
  const rows = Math.ceil(heightOf(box) / step)
  const crossings = Array.from({ length: rows }, (): Crossing[] => [])
  for (const edge of edges) cross(edge, box.bottom, step, crossings)
  return crossings.flatMap((row, at) => {
    const bottom = box.bottom + at * step
    return insideOf(row).map(([left, right]): Trace => {
      return { box: { left, bottom, right, top: bottom + step }, part: 1 }
    })
  })
}

/** Where an edge goes through the middle of a strip, and whether upwards (1) or downwards (-1). */
type Crossing = readonly [x: number, direction: number]

function cross([[x1, y1], [x2, y2]]: Segment, bottom: number, step: number, rows: Crossing[][]) {
  if (y1 === y2) return
  const [low, high] = [Math.min(y1, y2), Math.max(y1, y2)]
  const first = Math.max(0, Math.ceil((low - bottom) / step - 0.5))
  for (let row = first; row < rows.length; row++) {
    const y = bottom + (row + 0.5) * step
    if (y >= high) return
    rows[row]!.push([x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), y2 > y1 ? 1 : -1])
  }
}

function insideOf(row: Crossing[]): [left: number, right: number][] {
  const inside: [number, number][] = []
  let winding = 0
  let left = 0
  for (const [x, direction] of row.sort(([a], [b]) => a - b)) {
    if (winding === 0) left = x
    winding += direction
    if (winding === 0) inside.push([left, x])
  }
  return inside
}

function chordsOf(arc: Arc): Segment[] {
  const points = Array.from({ length: CHORDS + 1 }, (_, at) => pointOf(arc, at / CHORDS))
  return points.slice(1).map((point, at) => [points[at]!, point])
}

function pointOf([a, b, c, d]: Arc, part: number): Point {
  const rest = 1 - part
  const of = (axis: 0 | 1) =>
    rest ** 3 * a[axis] +
    3 * rest ** 2 * part * b[axis] +
    3 * rest * part ** 2 * c[axis] +
    part ** 3 * d[axis]
  return [of(0), of(1)]
}
