import {
  type Arc,
  type Box,
  boxAround,
  heightOf,
  type Point,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Paint } from '#server/domain/verification/looks/marks.ts'

/** A straight line of an outline, or one in place of a piece of a curve. */
export type Edge = {
  readonly line: Segment
  /** Around the line and the curve. */
  readonly box: Box
  /** What is between the line and a small curve is no larger than this box, beside which it is. */
  readonly beside: Box | undefined
}

/** What goes around a filled area. */
export function* edgesOfEmblem({ segments, closings, arcs }: Paint): Generator<Edge> {
  for (const line of segments) yield straight(line)
  for (const line of closings) yield straight(line)
  for (const arc of arcs) yield* chordsOf(arc)
}

const straight = (line: Segment): Edge => ({ line, box: boxAround(line), beside: undefined })

/** How often curves are halved: small ones less often, and then what their chords leave out is not forgotten. */
const MOST_HALVINGS = 3
/** In points. */
const [SMALL, SMALLER, SMALLEST] = [1, 0.5, 0.25] as const

function chordsOf(arc: Arc): Edge[] {
  const halvings = halvingsOf(boxAround(arc))
  return piecesOf(arc, halvings).map((piece) => {
    const box = boxAround(piece)
    const beside = halvings < MOST_HALVINGS ? areaAsBox(hullOf(piece), box) : undefined
    return { line: [piece[0], piece[3]], box, beside }
  })
}

function halvingsOf(box: Box): number {
  const size = Math.max(widthOf(box), heightOf(box))
  if (size <= SMALLEST) return 0
  if (size <= SMALLER) return 1
  return size <= SMALL ? 2 : MOST_HALVINGS
}

function piecesOf(arc: Arc, halvings: number): Arc[] {
  if (halvings === 0) return [arc]
  return halvesOf(arc).flatMap((half) => piecesOf(half, halvings - 1))
}

/** By the algorithm of De Casteljau. */
function halvesOf([a, b, c, d]: Arc): [Arc, Arc] {
  const [ab, bc, cd] = [between(a, b), between(b, c), between(c, d)]
  const [abc, bcd] = [between(ab, bc), between(bc, cd)]
  const middle = between(abc, bcd)
  return [
    [a, ab, abc, middle],
    [middle, bcd, cd, d],
  ]
}

const between = ([x1, y1]: Point, [x2, y2]: Point): Point => [(x1 + x2) / 2, (y1 + y2) / 2]

/** The area of the convex hull of four points: the triangles of each three of them cover it twice. */
const hullOf = ([a, b, c, d]: Arc) =>
  (triangle(a, b, c) + triangle(a, b, d) + triangle(a, c, d) + triangle(b, c, d)) / 2

const triangle = ([x1, y1]: Point, [x2, y2]: Point, [x3, y3]: Point) =>
  Math.abs((x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)) / 2

/** As wide as `box`. */
function areaAsBox(area: number, box: Box): Box | undefined {
  const height = area / widthOf(box)
  return area > 0 ? { ...box, top: box.bottom + height } : undefined
}
