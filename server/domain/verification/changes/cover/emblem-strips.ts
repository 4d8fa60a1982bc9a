import {
  edgeCountOf,
  edgesOf,
  filledStrips,
  type Spend,
} from '#server/domain/verification/looks/filled-strips.ts'
import {
  areaOf,
  type Box,
  heightOf,
  intersection,
  type Segment,
  widthOf,
} from '#server/domain/verification/looks/geometry.ts'
import type { Paint, Trace } from '#server/domain/verification/looks/marks.ts'

/** In points, and how many a form has at most. */
const [ROW, MOST_ROWS] = [1, 400] as const
/** Shorter than the side of a letter. */
const [COLUMN, MOST_COLUMNS] = [4, 400] as const
/** Edges in a row, times the heights at which one of them ends. */
const MOST_CROSSINGS = 20_000

const heightOfRows = ({ box }: Paint) => Math.max(ROW, heightOf(box) / MOST_ROWS)
const widthOfColumns = ({ box }: Paint) => Math.max(COLUMN, widthOf(box) / MOST_COLUMNS)

/** How many edges in a row, and columns of a row, the strips of a form take, at most. */
export function costOfStrips(paint: Paint): number {
  const rows = Math.ceil(heightOf(paint.box) / heightOfRows(paint))
  const columns = Math.ceil(widthOf(paint.box) / widthOfColumns(paint))
  return rows * (edgeCountOf(paint) + columns)
}

/** The area of a form with any outline, as low strips. */
export function stripsOf(paint: Paint, spend: Spend): Trace[] {
  const { box } = paint
  const height = heightOfRows(paint)
  const width = widthOfColumns(paint)
  return edgesByRow(paint, height).flatMap((edges, at) => {
    const bottom = box.bottom + at * height
    const row = { ...box, bottom, top: bottom + height }
    return stripsIn(row, edges, width, spend)
  })
}

function edgesByRow(paint: Paint, height: number): Segment[][] {
  const { box } = paint
  const rows = Array.from({ length: Math.ceil(heightOf(box) / height) }, (): Segment[] => [])
  for (const edge of edgesOf(paint)) {
    const [[, y1], [, y2]] = edge
    const first = Math.max(0, Math.floor((Math.min(y1, y2) - box.bottom) / height))
    const last = Math.floor((Math.max(y1, y2) - box.bottom) / height)
    for (let at = first; at <= last && at < rows.length; at++) rows[at]!.push(edge)
  }
  return rows
}

/** Between the heights at which edges end, none of them is missed. */
function stripsIn(row: Box, edges: readonly Segment[], width: number, spend: Spend): Trace[] {
  spend(edges.length)
  const ends = edges.flatMap(([[, y1], [, y2]]) => [y1, y2])
  const inside = ends.filter((y) => y > row.bottom && y < row.top)
  const levels = [...new Set([row.bottom, ...inside, row.top])].sort((a, b) => a - b)
  if (levels.length * edges.length > MOST_CROSSINGS) return [{ box: row, part: 1 }]
  return partsOf(row, filledStrips(edges, levels, spend), width, spend)
}

/** Which part of each column is filled; columns that are filled alike are one. */
function partsOf(row: Box, filled: Iterable<Box>, width: number, spend: Spend): Trace[] {
  const columns = Array.from({ length: Math.ceil(widthOf(row) / width) }, (_, at) => {
    const left = row.left + at * width
    return { box: { ...row, left, right: left + width }, area: 0 }
  })
  spend(columns.length)
  for (const strip of filled) {
    const first = Math.floor((strip.left - row.left) / width)
    const last = Math.floor((strip.right - row.left) / width)
    spend(last - first + 1)
    for (let at = first; at <= last; at++) {
      const column = columns[at]
      if (column) column.area += areaOf(intersection(strip, column.box))
    }
  }
  const parts: { box: Box; part: number }[] = []
  for (const { box, area } of columns) {
    const part = Math.round((100 * area) / areaOf(box)) / 100
    const before = parts.at(-1)
    if (before?.part === part) before.box = { ...before.box, right: box.right }
    else parts.push({ box, part })
  }
  return parts.filter(({ part }) => part > 0)
}
