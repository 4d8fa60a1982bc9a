import type { Point, Spend } from './bounds.ts'
import type { Contour } from './contours.ts'

/** In parts of the em: the squares of which a glyph is made. */
const SQUARE = 1 / 20
/** In squares: the sides of the windows through which a glyph is looked at. */
const SIDES = [6, 8, 10, 12] as const
/** In parts of the em. */
export const WINDOWS: readonly number[] = SIDES.map((side) => side * SQUARE)

/** Of each window: how much of it a glyph fills where it fills most. 1 for a block, less for the strokes of letters. */
export type Densities = readonly number[]

export const densestOf = (all: readonly Densities[]): Densities =>
  WINDOWS.map((_, window) => all.reduce((most, one) => Math.max(most, one[window]!), 0))

/** As far as letters reach that are not giant. */
const MOST_SQUARES = 20_000

type Edge = { readonly low: Point; readonly high: Point; readonly direction: 1 | -1 }

/**
 * By the rule of winding numbers, as readers fill letters. Where edges cross each other, all between them counts.
 *
 * @param contours in parts of the em
 * @throws {RangeError} for a glyph that is larger than letters are
 */
export function densitiesOf(contours: readonly Contour[], spend: Spend): Densities {
  const edges = contours.flatMap(edgesOf).toSorted((a, b) => a.low[1] - b.low[1])
  if (edges.length === 0) return WINDOWS.map(() => 0)
  const grid = gridAround(edges)
  spend(2 * grid.columns * grid.rows + edges.length)
  fill(grid, edges, spend)
  const sums = sumsOf(grid)
  return SIDES.map((side) => densestWindow(grid, sums, side))
}

/** Level ones have nothing to one side. */
function edgesOf(contour: Contour): Edge[] {
  return contour.flatMap((start, at): Edge[] => {
    const end = contour[(at + 1) % contour.length]!
    if (start[1] === end[1]) return []
    const isUp = end[1] > start[1]
    return [{ low: isUp ? start : end, high: isUp ? end : start, direction: isUp ? 1 : -1 }]
  })
}

/** How much of each square is filled, in square ems. */
type Grid = {
  readonly left: number
  readonly bottom: number
  readonly columns: number
  readonly rows: number
  readonly areas: Float64Array
}

function gridAround(edges: readonly Edge[]): Grid {
  let [left, right, top] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const { low, high } of edges) {
    left = Math.min(left, low[0], high[0])
    right = Math.max(right, low[0], high[0])
    top = Math.max(top, high[1])
  }
  const bottom = edges[0]!.low[1]
  const squaresIn = (length: number) => Math.ceil(length / SQUARE) + 1
  const [columns, rows] = [squaresIn(right - left), squaresIn(top - bottom)]
  if (!(columns * rows <= MOST_SQUARES)) throw new RangeError('a glyph is larger than letters are')
  return { left, bottom, columns, rows, areas: new Float64Array(columns * rows) }
}

/** From level to level, between which no edge ends. */
function fill(grid: Grid, edges: readonly Edge[], spend: Spend): void {
  const rows = Array.from({ length: grid.rows + 1 }, (_, row) => grid.bottom + row * SQUARE)
  const ends = edges.flatMap(({ low, high }) => [low[1], high[1]])
  const levels = [...new Set([...ends, ...rows])].sort((a, b) => a - b)
  let [open, next]: [Edge[], number] = [[], 0]
  for (const [at, bottom] of levels.slice(0, -1).entries()) {
    const top = levels[at + 1]!
    open = open.filter(({ high }) => high[1] > bottom)
    for (; next < edges.length && edges[next]!.low[1] <= bottom; next++) open.push(edges[next]!)
    spend(1 + open.length)
    const row = Math.min(grid.rows - 1, Math.floor(((bottom + top) / 2 - grid.bottom) / SQUARE))
    for (const [left, right] of filledBetween(open, bottom, top))
      fillSpan(grid, row, left, right, top - bottom)
  }
}

/** Where an edge goes through the lower and the upper level. */
type Crossing = { readonly below: number; readonly above: number; readonly direction: 1 | -1 }

type Span = readonly [left: number, right: number]

function filledBetween(open: readonly Edge[], bottom: number, top: number): Span[] {
  const crossings = open
    .map(({ low, high, direction }): Crossing => {
      const at = (y: number) => low[0] + ((y - low[1]) / (high[1] - low[1])) * (high[0] - low[0])
      return { below: at(bottom), above: at(top), direction }
    })
    .sort((a, b) => a.below - b.below || a.above - b.above)
  const isCrossed = crossings.some(
    ({ above }, at) => at > 0 && above < crossings[at - 1]!.above - HAIR,
  )
  if (isCrossed) return [hullOf(crossings)]
  const spans: Span[] = []
  let [winding, left] = [0, 0]
  for (const { below, above, direction } of crossings) {
    const x = (below + above) / 2
    if (winding === 0) left = x
    winding += direction
    if (winding === 0) spans.push([left, x])
  }
  return spans
}

/** In parts of the em: edges that meet in a point may be computed as if they crossed. */
const HAIR = 1e-6

const hullOf = (crossings: readonly Crossing[]): Span => {
  const ends = crossings.flatMap(({ below, above }) => [below, above])
  return [Math.min(...ends), Math.max(...ends)]
}

function fillSpan(
  { left: start, columns, areas }: Grid,
  row: number,
  left: number,
  right: number,
  height: number,
) {
  const last = Math.min(columns - 1, Math.floor((right - start) / SQUARE))
  for (let column = Math.floor((left - start) / SQUARE); column <= last; column++) {
    const edge = start + column * SQUARE
    areas[row * columns + column]! +=
      (Math.min(right, edge + SQUARE) - Math.max(left, edge)) * height
  }
}

/** Of all squares to the left and below, by which each window takes four steps. */
function sumsOf({ columns, rows, areas }: Grid): Float64Array {
  const wide = columns + 1
  const sums = new Float64Array(wide * (rows + 1))
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      sums[(row + 1) * wide + column + 1] =
        areas[row * columns + column]! +
        sums[row * wide + column + 1]! +
        sums[(row + 1) * wide + column]! -
        sums[row * wide + column]!
  return sums
}

/** Of a glyph smaller than the window, all of it. */
function densestWindow({ columns, rows }: Grid, sums: Float64Array, side: number): number {
  const sumAt = (row: number, column: number) => sums[row * (columns + 1) + column]!
  let most = 0
  for (let row = 0; row === 0 || row <= rows - side; row++)
    for (let column = 0; column === 0 || column <= columns - side; column++) {
      const [top, right] = [Math.min(rows, row + side), Math.min(columns, column + side)]
      const area = sumAt(top, right) - sumAt(row, right) - sumAt(top, column) + sumAt(row, column)
      most = Math.max(most, area)
    }
  return most / (side * SQUARE) ** 2
}
