import { type Arc, type Box, boxAround, cornersOf, type Point, type Segment } from './geometry.ts'

/** The path that the next instruction paints, in the coordinates of the canvas. */
export type Path = {
  readonly segments: Segment[]
  /** Around each curve. */
  readonly curves: Box[]
  readonly arcs: Arc[]
  readonly corners: Corner[]
  /** What closes the open subpaths where their area is filled. */
  readonly closings: Segment[]
  points: Point[]
  subpaths: number
  start: Point | undefined
  at: Point | undefined
  /** In which direction the subpath began, and in which one its last piece ends. */
  first: Point | undefined
  heading: Point | undefined
}

/** Where two pieces meet sharply, and their directions. */
type Corner = { readonly at: Point; readonly before: Point; readonly after: Point }

export const emptyPath = (): Path => ({
  segments: [],
  curves: [],
  arcs: [],
  corners: [],
  closings: [],
  points: [],
  subpaths: 0,
  start: undefined,
  at: undefined,
  first: undefined,
  heading: undefined,
})

export function moveTo(path: Path, point: Point): void {
  end(path)
  path.start = point
  path.at = point
  path.first = undefined
  path.heading = undefined
  path.subpaths++
}

export function lineTo(path: Path, point: Point): void {
  if (path.at) {
    path.segments.push([path.at, point])
    path.points.push(path.at, point)
    turn(path, [path.at, point])
  }
  path.at = point
}

/** A curve is inside the outline of its control points. */
export function curveTo(path: Path, points: readonly Point[]): void {
  const controls = path.at ? [path.at, ...points] : points
  path.curves.push(boxAround(controls))
  path.points.push(...controls)
  turn(path, controls)
  if (path.at) path.arcs.push(arcOf(path.at, points))
  path.at = points.at(-1)
}

/** The last two of the points are one if there are only two. */
const arcOf = (start: Point, points: readonly Point[]): Arc => [
  start,
  points[0]!,
  points.at(-2)!,
  points.at(-1)!,
]

/** Goes along the control points of a piece. */
function turn(path: Path, points: readonly Point[]): void {
  const directions = points.slice(1).flatMap((point, at) => direction(points[at]!, point) ?? [])
  const [into, out] = [directions[0], directions.at(-1)]
  if (!into || !out) return
  if (path.heading) meet(path, points[0]!, into)
  path.first ??= into
  path.heading = out
}

function meet(path: Path, at: Point, after: Point): void {
  const before = path.heading!
  if (before[0] * after[0] + before[1] * after[1] < SHARP) path.corners.push({ at, before, after })
}

/** Undefined between two points that are one. */
function direction([x1, y1]: Point, [x2, y2]: Point): Point[] | undefined {
  const length = Math.hypot(x2 - x1, y2 - y1)
  return length > 0 ? [[(x2 - x1) / length, (y2 - y1) / length]] : undefined
}

/** Of a corner of 60 degrees: it reaches as far as the line is wide. */
const SHARP = -0.5

/** How far the sharp corners of a line reach. @see ISO 32000-2:2020, 8.4.3.5 */
export function spikesOf(
  { corners }: Path,
  { join, miterLimit, lineWidth }: { join: number; miterLimit: number; lineWidth: number },
): Segment[] {
  if (join !== 0) return []
  return corners.flatMap(({ at, before, after }): Segment[] => {
    const cosine = before[0] * after[0] + before[1] * after[1]
    const ratio = 1 / Math.sqrt(Math.max(0, (1 + cosine) / 2))
    const [x, y] = [before[0] - after[0], before[1] - after[1]]
    const reach = (ratio * lineWidth) / 2 / Math.hypot(x, y)
    return ratio <= miterLimit && Number.isFinite(reach)
      ? [[at, [at[0] + x * reach, at[1] + y * reach]]]
      : []
  })
}

/** Ends the last subpath: the area of an open one is filled as if it were closed. */
export function end(path: Path): void {
  const { start, at, closings } = path
  if (!start || !at || (start[0] === at[0] && start[1] === at[1])) return
  closings.push([at, start])
}

export function close(path: Path): void {
  const { start, first } = path
  const drawn = path.points.at(-1)
  // Readers draw a round dot of a point alone.
  if (start && (!drawn || drawn[0] !== start[0] || drawn[1] !== start[1])) lineTo(path, start)
  if (start && first && path.heading) meet(path, start, first)
  path.at = path.start
  path.first = undefined
  path.heading = undefined
}

export function addRectangle(path: Path, corners: readonly Point[]): void {
  const [first, ...others] = corners
  moveTo(path, first!)
  for (const corner of others) lineTo(path, corner)
  close(path)
}

/** The box of a path that is one rectangle along the axes; undefined for any other. */
export function rectangleOf({ segments, points, curves, subpaths }: Path): Box | undefined {
  const isClosed = segments.length === 4 || segments.length === 3
  if (curves.length > 0 || subpaths !== 1 || !isClosed) return undefined
  const box = boxAround(points)
  const corners = cornersOf(box)
  const around = segments.map(([from]) => corners.findIndex((corner) => isNear(corner, from)))
  const last = corners.findIndex((corner) => isNear(corner, segments.at(-1)![1]))
  const steps = [...around, last].slice(1).map((corner, at) => (corner - around[at]! + 4) % 4)
  const isAround = [1, 3].some((step) => steps.every((one) => one === step))
  return isAround && !around.includes(-1) && last >= 0 ? box : undefined
}

const isNear = ([x1, y1]: Point, [x2, y2]: Point) =>
  Math.abs(x1 - x2) < 0.01 && Math.abs(y1 - y2) < 0.01
