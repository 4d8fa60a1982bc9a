import {
  type Arc,
  areaOf,
  type Box,
  boxAround,
  cornersOf,
  grownBy,
  heightOf,
  intersection,
  isWithin,
  meets,
  type Point,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Mark, Paint } from '#server/domain/verification/looks/marks.ts'
import { areasOf } from './covering-ink.ts'
import { boxOf, isPale, THIN } from './mark-box.ts'

/** Ink that hangs together, as one stroke of a pen does. */
export type Piece = {
  readonly box: Box
  /** Along the stroke, as short as letters are high unless it is straight along the page. */
  readonly parts: readonly Box[]
  /** `tint`: what is below is seen through it; `area`: it hides what is below, and changes only what is beside it. */
  readonly kind: 'ink' | 'tint' | 'area'
}

type Surroundings = {
  /** What is seen of the page. */
  readonly shown: Box
  /** The areas of other looks in the same place. */
  readonly covers: readonly Box[]
  spend(pairs: number): void
}

/**
 * The pieces of what a look draws, without its letters and the areas that hide what is below. Strokes that touch are one
 * piece, even if several instructions draw them: programs write a line of changing width as many. What a clip, the edge of the
 * page or an area takes away joins nothing.
 *
 * @param marks in the coordinates of the page
 */
export function piecesOfInk(marks: readonly Mark[], around: Surroundings): Piece[] {
  const hiding = marks.flatMap((mark, at) => areasOf(mark).map((box) => ({ box, at })))
  const strokes: Box[] = []
  const pieces: Piece[] = []
  for (const [at, mark] of marks.entries()) {
    if (mark.kind === 'text') continue
    around.spend(hiding.length)
    const later = hiding.filter((area) => area.at > at).map(({ box }) => box)
    const parts = seenParts(mark, [...later, ...around.covers], around)
    const isPen = mark.kind === 'stroke' && mark.covers && !mark.isDashed && !isArea(mark)
    if (mark.shown) for (const piece of joined(parts, around)) pieces.push(piece)
    else
      for (const part of parts)
        if (isPen && longerSideOf(part) < LONG) strokes.push(part)
        else pieces.push({ box: part, parts: [part], kind: kindOf(mark) })
  }
  return pieces.concat(joined(strokes, around))
}

const kindOf = (mark: Paint): Piece['kind'] =>
  isArea(mark) ? 'area' : mark.kind === 'picture' || isTint(mark) ? 'tint' : 'ink'

/** No stroke of a letter that it is over: it hides all of that. */
const isArea = (mark: Paint) =>
  mark.covers && (mark.kind === 'picture' ? !mark.shown : areasOf(mark).some(isLarge))

/** As a highlight: what is below is seen through it. */
export const isTint = (mark: Mark) =>
  mark.kind === 'fill' &&
  !mark.covers &&
  widthOf(mark.box) > 2 * THIN &&
  heightOf(mark.box) > 2 * THIN

function partsOf(mark: Paint, hasGaps: boolean): Box[] {
  if (mark.shown) return mark.shown.filter(({ part }) => part > PALE).map(({ box }) => box)
  if (isArea(mark)) return isPale(mark) ? [] : [boxOf(mark)]
  if (mark.kind !== 'stroke') return [mark.box]
  const { segments, arcs, curves, lineWidth } = mark
  const lines = [
    ...segments.flatMap((segment) => stepsOf(segment, hasGaps)),
    ...arcs.flatMap(chordsOf),
  ]
  const boxes = lines.map(boxAround)
  // Of a curve that begins nowhere its control points are all that is known.
  const whole = arcs.length < curves.length ? curves : []
  return [...boxes, ...whole].map((box) => grownBy(box, lineWidth / 2))
}

/** Of a part of a picture: what is paler leaves all that is below as it was. */
const PALE = 0.15

export const longerSideOf = (box: Box) => Math.max(widthOf(box), heightOf(box))

/** In points: longer than the strokes of letters and digits. */
const LONG = 20

const isLarge = (box: Box) => longerSideOf(box) > LONG && areaOf(box) > longerSideOf(box)

/** In points, and how many a line has at most. */
const [STEP, MOST_STEPS] = [2, 10_000] as const

const stepsFor = (length: number) =>
  Math.max(1, Math.min(MOST_STEPS, Math.ceil(length / STEP) || 1))

/** A line along the page is one box, unless it has gaps. */
function stepsOf([start, end]: Segment, hasGaps: boolean): Segment[] {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  if ((dx === 0 || dy === 0) && !hasGaps) return [[start, end]]
  const count = stepsFor(lengthOf([start, end]))
  const pointAt = (at: number): Point => [
    start[0] + (at / count) * dx,
    start[1] + (at / count) * dy,
  ]
  return Array.from({ length: count }, (_, at) => [pointAt(at), pointAt(at + 1)] as const)
}

function chordsOf(arc: Arc): Segment[] {
  const count = stepsFor(lengthOf(arc))
  return Array.from(
    { length: count },
    (_, at) => [pointOn(arc, at / count), pointOn(arc, (at + 1) / count)] as const,
  )
}

/** Of a curve, that of the lines between its control points. */
const lengthOf = (points: Segment | Arc) =>
  points.slice(1).reduce((sum, [x, y], at) => {
    const [fromX, fromY] = points[at]!
    return sum + Math.hypot(x - fromX, y - fromY)
  }, 0)

/** @see ISO 32000-2:2020, 8.5.2.2 */
function pointOn([a, b, c, d]: Arc, t: number): Point {
  const s = 1 - t
  const along = (axis: 0 | 1) =>
    s ** 3 * a[axis] + 3 * s * s * t * b[axis] + 3 * s * t * t * c[axis] + t ** 3 * d[axis]
  return [along(0), along(1)]
}

function seenParts(mark: Paint, hiding: readonly Box[], { shown, spend }: Surroundings): Box[] {
  const lines = [...mark.segments, ...mark.arcs]
  spend(lines.reduce((sum, line) => sum + stepsFor(lengthOf(line)), 1) * (COST + hiding.length))
  const edge = intersection(mark.clip, shown)
  // A fill, or a picture, is one part, however large: it is seen unless all of it is hidden.
  const isHiddenBy = mark.kind === 'stroke' || mark.shown ? isMiddleIn : isInside
  return partsOf(mark, mark.isDashed || hiding.length > 0)
    .map((part) => intersection(part, edge))
    .filter((part) => meets(part, part) && !hiding.some((area) => isHiddenBy(part, area)))
}

/** In pairs: how much work a part is that is cut out and joined to others. */
const COST = 10

const isInside = (part: Box, area: Box) => isWithin(part, area, 0)

const isMiddleIn = ({ left, bottom, right, top }: Box, area: Box) => {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2]
  return meets(area, { left: x, bottom: y, right: x, top: y })
}

/** In points: parts that are no farther from each other are one to the eye. */
const CELL = 2

/** Parts that share a square of the page are of one piece. */
function joined(parts: readonly Box[], { spend }: Surroundings): Piece[] {
  // Before the squares are made: a page may be 200 inches high.
  spend(COST_OF_SQUARE * parts.reduce((sum, part) => sum + squaresOf(part), 0))
  const parents = parts.map((_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root]!
    for (let one = at; one !== root; ) [one, parents[one]] = [parents[one]!, root]
    return root
  }
  const owners = new Map<string, number>()
  for (const [at, part] of parts.entries())
    for (const cell of cellsOf(part)) {
      const owner = owners.get(cell)
      if (owner === undefined) owners.set(cell, at)
      else parents[rootOf(at)] = rootOf(owner)
    }
  const pieces = Map.groupBy(parts.keys(), rootOf)
  return [...pieces.values()].map((members) => {
    const own = members.map((at) => parts[at]!)
    return { box: boxAround(own.flatMap(cornersOf)), parts: own, kind: 'ink' }
  })
}

/** In pairs: each is remembered. */
const COST_OF_SQUARE = 100

const squaresOf = (part: Box) => (widthOf(part) / CELL + 2) * (heightOf(part) / CELL + 2)

function cellsOf({ left, bottom, right, top }: Box): string[] {
  const [columns, rows] = [stepsIn(left, right), stepsIn(bottom, top)]
  return columns.flatMap((x) => rows.map((y) => `${x} ${y}`))
}

function stepsIn(from: number, to: number): number[] {
  const [first, last] = [Math.floor(from / CELL), Math.floor(to / CELL)]
  return Array.from({ length: Math.min(last - first + 1, MOST_STEPS) }, (_, at) => first + at)
}
