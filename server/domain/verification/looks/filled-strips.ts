import type { Arc, Box, Point, Segment } from './geometry.ts'
import type { Paint } from './marks.ts'

/** Into how many lines a curve is divided. */
const CHORDS = 8

/** What goes around a filled area, as straight lines. */
export const edgesOf = ({ segments, closings, arcs }: Paint): Segment[] => [
  ...segments,
  ...closings,
  ...arcs.flatMap(chordsOf),
]

export const edgeCountOf = ({ segments, closings, arcs }: Paint) =>
  segments.length + closings.length + CHORDS * arcs.length

/** Is told how many edges are looked at, or boxes compared. */
export type Spend = (steps: number) => void

/**
 * The area within these edges, as strips from one level to the next. By the rule of winding numbers: it fills no less
 * than the other one.
 *
 * @param levels from below to above
 * @see ISO 32000-2:2020, 8.5.3.3.2
 */
export function* filledStrips(
  edges: readonly Segment[],
  levels: readonly number[],
  spend: Spend,
): Generator<Box> {
  spend(edges.length)
  const fromBelow = edges.toSorted((a, b) => footOf(a) - footOf(b))
  let open: Segment[] = []
  let next = 0
  for (const [at, top] of levels.slice(1).entries()) {
    const bottom = levels[at]!
    const y = (bottom + top) / 2
    for (let edge = fromBelow[next]; edge && footOf(edge) <= y; edge = fromBelow[++next])
      open.push(edge)
    spend(1 + open.length)
    open = open.filter((edge) => headOf(edge) > y)
    for (const [left, right] of insideOf(crossingsAt(open, y))) yield { left, bottom, right, top }
  }
}

const footOf = ([[, y1], [, y2]]: Segment) => Math.min(y1, y2)
const headOf = ([[, y1], [, y2]]: Segment) => Math.max(y1, y2)

/** Where an edge goes through a level, and whether upwards (1) or downwards (-1). */
type Crossing = readonly [x: number, direction: number]

function crossingsAt(edges: readonly Segment[], y: number): Crossing[] {
  const crossings: Crossing[] = []
  for (const [[x1, y1], [x2, y2]] of edges)
    if (y1 <= y !== y2 <= y)
      crossings.push([x1 + ((y - y1) / (y2 - y1)) * (x2 - x1), y2 > y1 ? 1 : -1])
  return crossings
}

function insideOf(crossings: Crossing[]): [left: number, right: number][] {
  const inside: [number, number][] = []
  let winding = 0
  let left = 0
  for (const [x, direction] of crossings.sort(([a], [b]) => a - b)) {
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
