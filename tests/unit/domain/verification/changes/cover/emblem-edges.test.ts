import { expect, test } from 'vitest'
import { edgesOfEmblem } from '#server/domain/verification/changes/cover/emblem-edges.ts'
import type { Arc } from '#server/domain/verification/looks/geometry.ts'
import { plainPaint } from '#server/domain/verification/looks/marks.ts'

const BOX = { left: 0, bottom: 0, right: 9, top: 9 }
const arcOf = (size: number): Arc => [
  [0, 0],
  [0, size],
  [size, size],
  [size, 0],
]
const edgesOf = (size: number) => [
  ...edgesOfEmblem({ ...plainPaint('fill', BOX, BOX), arcs: [arcOf(size)] }),
]

test.each([
  [0.25, 1],
  [0.26, 2],
  [0.5, 2],
  [0.51, 4],
  [1, 4],
  [1.01, 8],
  [90, 8],
])('edges of a curve of %d points: %i lines', (size, count) => {
  const edges = edgesOf(size)
  expect(edges).toHaveLength(count)
  expect(edges.map(({ beside }) => beside !== undefined)).toEqual(edges.map(() => count < 8))
  expect(edges.flatMap(({ line }) => line)).toEqual(
    expect.arrayContaining([
      [0, 0],
      [size, 0],
    ]),
  )
})

test('edges of a small curve: what is beside them is as large wherever it stands', () => {
  const moved = arcOf(1).map(([x, y]) => [x + 5, y + 70] as const) as unknown as Arc
  const heights = [arcOf(1), moved].map((arc) =>
    [...edgesOfEmblem({ ...plainPaint('fill', BOX, BOX), arcs: [arc] })].map(
      ({ beside }) => beside!.top - beside!.bottom,
    ),
  )
  for (const [at, height] of heights[0]!.entries()) expect(heights[1]![at]).toBeCloseTo(height, 6)
})
