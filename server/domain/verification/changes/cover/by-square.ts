import type { Box } from '#server/domain/verification/looks/geometry.ts'

/** The items near to a place, and some that are farther away. */
export type BySquare<T> = (place: Box) => Set<T>

/** Signatures and fields of large documents stand beside each other, and few in one square. */
export function bySquare<T>(items: readonly T[], placeOf: (item: T) => Box): BySquare<T> {
  const squares = new Map<string, T[]>()
  const large: T[] = []
  for (const item of items) {
    const names = squaresOf(placeOf(item))
    if (!names) large.push(item)
    for (const name of names ?? []) {
      const known = squares.get(name)
      if (known) known.push(item)
      else squares.set(name, [item])
    }
  }
  return (place) => {
    const near = squaresOf(place)?.flatMap((name) => squares.get(name) ?? []) ?? items
    return new Set([...near, ...large])
  }
}

/** In points. */
const SIDE = 100
const MOST_SIDES = 20

/** The squares of a page that a place meets; undefined if it is larger than pages are. */
function squaresOf({ left, bottom, right, top }: Box): string[] | undefined {
  const [columns, rows] = [stepsIn(left, right), stepsIn(bottom, top)]
  return columns && rows && columns.flatMap((x) => rows.map((y) => `${x} ${y}`))
}

function stepsIn(from: number, to: number): number[] | undefined {
  const [first, last] = [Math.floor(from / SIDE), Math.floor(to / SIDE)]
  if (last - first >= MOST_SIDES) return undefined
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
