import { filledStrips, type Spend } from '#server/domain/verification/looks/filled-strips.ts'
import {
  areaOf,
  type Box,
  heightOf,
  type Point,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Paint, Trace } from '#server/domain/verification/looks/marks.ts'
import { type Edge, edgesOfEmblem } from './emblem-edges.ts'

/** In points, and how many a form has at most. */
const [ROW, MOST_ROWS] = [1, 400] as const
/** Shorter than the side of a letter. */
const [COLUMN, MOST_COLUMNS] = [4, 400] as const
/** At how many heights edges of a row may end, if each of these is a level; else there are fewer levels. */
const [MOST_ENDS, LEVELS] = [40, 16] as const

const heightOfRows = ({ box }: Paint) => Math.max(ROW, heightOf(box) / MOST_ROWS)
const widthOfColumns = ({ box }: Paint) => Math.max(COLUMN, widthOf(box) / MOST_COLUMNS)

/** So many columns of a row take as long as an edge in it. */
const COLUMNS_LIKE_AN_EDGE = 8

/** In how many rows the edges of a form are, all together, and its columns; `most` if there are more. */
export function costOfStrips(paint: Paint, most: number): number {
  const height = heightOfRows(paint)
  const rows = Math.ceil(heightOf(paint.box) / height)
  let cost = (rows * Math.ceil(widthOf(paint.box) / widthOfColumns(paint))) / COLUMNS_LIKE_AN_EDGE
  for (const edge of edgesOfEmblem(paint)) {
    const [first, last] = rowsOf(edge, paint.box, height)
    cost += last - first + 1
    if (cost > most) return most
  }
  return Math.min(cost, most)
}

/** The area of a form with any outline, as low strips. */
export function stripsOf(paint: Paint, spend: Spend): Trace[] {
  const { box } = paint
  const height = heightOfRows(paint)
  const width = widthOfColumns(paint)
  return edgesByRow(paint, height).flatMap((edges, at) => {
    const bottom = box.bottom + at * height
    const row = { ...box, bottom, top: bottom + height }
    return partsOf(row, filledIn(row, edges, spend), width, spend)
  })
}

function edgesByRow(paint: Paint, height: number): Edge[][] {
  const { box } = paint
  const rows = Array.from({ length: Math.ceil(heightOf(box) / height) }, (): Edge[] => [])
  for (const edge of edgesOfEmblem(paint)) {
    const [first, last] = rowsOf(edge, box, height)
    for (let at = first; at <= last && at < rows.length; at++) rows[at]!.push(edge)
  }
  return rows
}

const rowsOf = ({ box }: Edge, { bottom }: Box, height: number) =>
  [box.bottom, box.top].map((y) => Math.max(0, Math.floor((y - bottom) / height))) as [
    first: number,
    last: number,
  ]

/** What is filled of a row, and no less. */
function filledIn(row: Box, edges: readonly Edge[], spend: Spend): Box[] {
  spend(edges.length)
  const beside = edges.flatMap((edge) => edge.beside ?? [])
  const lines = edges.map(({ line }) => line)
  const ends = lines.flatMap(([[, y1], [, y2]]) => [y1, y2])
  const inside = ends.filter((y) => y > row.bottom && y < row.top)
  const levels = [...new Set([row.bottom, ...inside, row.top])].sort((a, b) => a - b)
  // Between the heights at which edges end, none of them is missed.
  const filled =
    levels.length <= MOST_ENDS
      ? filledStrips(lines, levels, spend)
      : filledByLevels(row, lines, spend)
  return [...filled, ...beside]
}

/** The ends of edges are moved to the nearest of a few levels; all that edges move over counts as filled, too. */
function filledByLevels(row: Box, lines: readonly Segment[], spend: Spend): Box[] {
  const step = heightOf(row) / LEVELS
  const levelOf = (y: number) => row.bottom + Math.round((y - row.bottom) / step) * step
  const levels = Array.from({ length: LEVELS + 1 }, (_, at) => row.bottom + at * step)
  const parts = lines.map((line) => partIn(row, line)).filter((part) => part !== undefined)
  const moved = parts.map((line) => line.map(([x, y]): Point => [x, levelOf(y)]) as [Point, Point])
  const over = parts.map(([[x1, y1], [x2, y2]]): Box => {
    const shift = Math.max(Math.abs(y1 - levelOf(y1)), Math.abs(y2 - levelOf(y2)))
    const { bottom } = row
    return { left: Math.min(x1, x2), right: Math.max(x1, x2), bottom, top: bottom + shift }
  })
  return [...filledStrips(moved, levels, spend), ...over]
}

/** The part of a line that is in a row; undefined if none is. */
function partIn({ bottom, top }: Box, [start, end]: Segment): Segment | undefined {
  const [[, y1], [, y2]] = [start, end]
  if (Math.max(y1, y2) < bottom || Math.min(y1, y2) > top) return undefined
  const within = ([x, y]: Point, [otherX, otherY]: Point): Point => {
    const height = Math.min(top, Math.max(bottom, y))
    return height === y ? [x, y] : [x + ((height - y) / (otherY - y)) * (otherX - x), height]
  }
  return [within(start, end), within(end, start)]
}

/** Which part of each column is filled; columns that are filled alike are one. */
function partsOf(row: Box, filled: readonly Box[], width: number, spend: Spend): Trace[] {
  const columns = Array.from({ length: Math.ceil(widthOf(row) / width) }, (_, at) => {
    const left = row.left + at * width
    return { box: { ...row, left, right: left + width }, area: 0 }
  })
  spend(columns.length)
  for (const { left, bottom, right, top } of filled) {
    const first = Math.floor((left - row.left) / width)
    const last = Math.floor((right - row.left) / width)
    spend(last - first + 1)
    for (let at = first; at <= last; at++) {
      const column = columns[at]
      if (!column) continue
      const shared = Math.min(right, column.box.right) - Math.max(left, column.box.left)
      column.area += Math.max(0, shared) * (top - bottom)
    }
  }
  const parts: { box: Box; part: number }[] = []
  for (const { box, area } of columns) {
    const part = Math.min(1, Math.round((100 * area) / areaOf(box)) / 100)
    const before = parts.at(-1)
    if (before?.part === part) before.box = { ...before.box, right: box.right }
    else parts.push({ box, part })
  }
  return parts.filter(({ part }) => part > 0)
}
