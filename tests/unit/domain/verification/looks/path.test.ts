import { describe, expect, test } from 'vitest'
import type { Point } from '#server/domain/verification/looks/geometry.ts'
import {
  addRectangle,
  close,
  curveTo,
  emptyPath,
  end,
  lineTo,
  moveTo,
  type Path,
  rectangleOf,
  spikesOf,
} from '#server/domain/verification/looks/path.ts'

/** A path through these points. */
function through(first: Point, ...others: Point[]): Path {
  const path = emptyPath()
  moveTo(path, first)
  for (const point of others) lineTo(path, point)
  return path
}

test('path: lines join their points, and a line without a beginning only sets its point', () => {
  const path = through([1, 2], [4, 6], [4, 9])
  expect(path.segments).toEqual([
    [
      [1, 2],
      [4, 6],
    ],
    [
      [4, 6],
      [4, 9],
    ],
  ])
  expect(path).toMatchObject({ subpaths: 1, start: [1, 2], at: [4, 9], first: [0.6, 0.8] })
  expect(path.heading).toEqual([0, 1])
  const none = emptyPath()
  lineTo(none, [4, 6])
  expect(none).toEqual({ ...emptyPath(), at: [4, 6] })
})

test('path: a curve meets the lines beside it in corners', () => {
  const path = through([0, 0], [9, 0])
  // Back along the line, and on in its direction.
  curveTo(path, [
    [5, 1],
    [5, 5],
    [9, 5],
  ])
  lineTo(path, [20, 5])
  expect(path.corners).toMatchObject([{ at: [9, 0], before: [1, 0] }])
  lineTo(path, [0, 5])
  expect(path.corners).toMatchObject([{ at: [9, 0] }, { at: [20, 5] }])
  const round = emptyPath()
  moveTo(round, [0, 0])
  curveTo(round, [
    [0, 5],
    [5, 9],
    [9, 9],
  ])
  lineTo(round, [0, 8])
  expect(round.corners).toMatchObject([{ at: [9, 9], before: [1, 0] }])
})

test('path: a line between two points that are one has no direction', () => {
  const path = through([1, 2], [1, 2])
  expect(path.segments).toHaveLength(1)
  expect([path.first, path.heading]).toEqual([undefined, undefined])
})

test('path: a curve has the box of its control points, and four of them', () => {
  const path = through([0, 0])
  curveTo(path, [
    [1, 5],
    [9, 5],
    [8, 0],
  ])
  curveTo(path, [
    [7, -3],
    [6, -3],
  ])
  expect(path.curves).toEqual([
    { left: 0, bottom: 0, right: 9, top: 5 },
    { left: 6, bottom: -3, right: 8, top: 0 },
  ])
  expect(path.arcs).toEqual([
    [
      [0, 0],
      [1, 5],
      [9, 5],
      [8, 0],
    ],
    [
      [8, 0],
      [7, -3],
      [7, -3],
      [6, -3],
    ],
  ])
  expect(path.at).toEqual([6, -3])
})

test('path: an open subpath is closed where its area is filled, a closed one has nothing to close', () => {
  const path = through([0, 0], [9, 0], [9, 9])
  moveTo(path, [20, 20])
  expect(path.closings).toEqual([
    [
      [9, 9],
      [0, 0],
    ],
  ])
  expect(path.subpaths).toBe(2)
  end(path)
  expect(path.closings).toHaveLength(1)
  lineTo(path, [20, 29])
  end(path)
  expect(path.closings).toEqual([
    [
      [9, 9],
      [0, 0],
    ],
    [
      [20, 29],
      [20, 20],
    ],
  ])
})

test('path: closing draws the last line, and a round dot of a point alone', () => {
  const path = through([0, 0], [9, 0], [9, 9])
  close(path)
  expect(path.segments.at(-1)).toEqual([
    [9, 9],
    [0, 0],
  ])
  expect(path).toMatchObject({ at: [0, 0], first: undefined, heading: undefined })
  const back = through([0, 0], [9, 0], [0, 0])
  close(back)
  expect(back.segments).toHaveLength(2)
  const dot = through([3, 3])
  close(dot)
  expect(dot.segments).toEqual([
    [
      [3, 3],
      [3, 3],
    ],
  ])
})

test('path: closing one that is closed draws nothing more', () => {
  const path = emptyPath()
  addRectangle(path, [
    [0, 0],
    [9, 0],
    [9, 9],
    [0, 9],
  ])
  close(path)
  close(path)
  expect(path.segments).toHaveLength(4)
})

test('path: closing one without a beginning leaves no point to go on from', () => {
  const none = emptyPath()
  lineTo(none, [4, 6])
  close(none)
  lineTo(none, [9, 9])
  expect(none.segments).toEqual([])
})

describe('path: a sharp corner', () => {
  const line = { join: 0, miterLimit: 10, lineWidth: 2 }

  test('is one of less than 60 degrees, also where the path closes', () => {
    expect(through([0, 0], [9, 0], [9, 9]).corners).toEqual([])
    expect(through([0, 0], [9, 0], [0, 2]).corners).toMatchObject([{ at: [9, 0], before: [1, 0] }])
    const closed = through([0, 0], [9, 9], [9, 10])
    close(closed)
    expect(closed.corners.map(({ at }) => at)).toContainEqual([0, 0])
  })

  test('reaches out as far as the line is wide and the corner is sharp', () => {
    // A turn back by 3-4-5: half of the angle has a sine of 1/√10.
    const path = through([0, 0], [10, 0], [10 - 8, 6])
    const [[from, to] = []] = spikesOf(path, line)
    expect(from).toEqual([10, 0])
    expect(to?.[0]).toBeCloseTo(13, 6)
    expect(to?.[1]).toBeCloseTo(-1, 6)
  })

  test('is cut off beyond the limit, and where lines join round', () => {
    const path = through([0, 0], [10, 0], [2, 6])
    expect(spikesOf(path, { ...line, miterLimit: 3.2 })).toHaveLength(1)
    expect(spikesOf(path, { ...line, miterLimit: 3.1 })).toEqual([])
    expect(spikesOf(path, { ...line, join: 1 })).toEqual([])
    expect(spikesOf(through([0, 0], [10, 0], [0, 0]), line)).toEqual([])
  })
})

describe('path: is a rectangle', () => {
  const box = { left: 1, bottom: 2, right: 5, top: 9 }
  const corners: Point[] = [
    [1, 2],
    [5, 2],
    [5, 9],
    [1, 9],
  ]
  const rectangle = (points: readonly Point[]) => {
    const path = emptyPath()
    addRectangle(path, points)
    return path
  }

  test('around its corners in either direction, closed or not', () => {
    expect(rectangleOf(rectangle(corners))).toEqual(box)
    expect(rectangleOf(rectangle(corners.toReversed()))).toEqual(box)
    expect(rectangleOf(through(corners[0]!, ...corners.slice(1)))).toEqual(box)
  })

  test('not when it is two, has a curve, too few lines, or crosses itself', () => {
    const two = rectangle(corners)
    moveTo(two, [0, 0])
    const curved = rectangle(corners)
    curveTo(curved, [
      [1, 2],
      [1, 2],
    ])
    const [a, b, c, d] = corners as [Point, Point, Point, Point]
    const others = [two, curved, through(a, b, c), through(a, c, b, d, a), through(a, b, a, b, a)]
    expect(others.map(rectangleOf)).toEqual(others.map(() => undefined))
    expect(rectangleOf(through(a, b, [5, 8], d, a))).toBeUndefined()
  })

  test('whose corners are less than a hundredth of a point apart', () => {
    const leaning = (by: number) => rectangleOf(through([0, 0], [5, 0], [5, 9], [by, 9], [0, 0]))
    expect(leaning(0.009)).toEqual({ left: 0, bottom: 0, right: 5, top: 9 })
    expect(leaning(0.01)).toBeUndefined()
  })
})
