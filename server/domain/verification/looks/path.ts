import { type Box, boxAround, cornersOf, type Point, type Segment } from './geometry.ts'

/** The path that the next instruction paints, in the coordinates of the canvas. */
export type Path = {
  readonly segments: Segment[]
  /** Around each curve. */
  readonly curves: Box[]
  /** What closes the open subpaths where their area is filled. */
  readonly closings: Segment[]
  points: Point[]
  subpaths: number
  start: Point | undefined
  at: Point | undefined
}

export const emptyPath = (): Path => ({
  segments: [],
  curves: [],
  closings: [],
  points: [],
  subpaths: 0,
  start: undefined,
  at: undefined,
})

export function moveTo(path: Path, point: Point): void {
  end(path)
  path.start = point
  path.at = point
  path.subpaths++
}

export function lineTo(path: Path, point: Point): void {
  if (path.at) {
    path.segments.push([path.at, point])
    path.points.push(path.at, point)
  }
  path.at = point
}

/** A curve is inside the outline of its control points. */
export function curveTo(path: Path, points: readonly Point[]): void {
  const controls = path.at ? [path.at, ...points] : points
  path.curves.push(boxAround(controls))
  path.points.push(...controls)
  path.at = points.at(-1)
}

/** Ends the last subpath: the area of an open one is filled as if it were closed. */
export function end({ start, at, closings }: Path): void {
  if (start && at && (start[0] !== at[0] || start[1] !== at[1])) closings.push([at, start])
}

export function close(path: Path): void {
  if (path.start && path.at && (path.start[0] !== path.at[0] || path.start[1] !== path.at[1]))
    lineTo(path, path.start)
  path.at = path.start
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
