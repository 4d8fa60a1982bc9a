import { expect, test } from 'vitest'
import { costOfStrips, stripsOf } from '#server/domain/verification/changes/cover/emblem-strips.ts'
import { areaOf, type Segment } from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint } from '#server/domain/verification/looks/marks.ts'

/** A filled form of straight edges, from the lower left corner. */
function formOf(width: number, height: number, segments: readonly Segment[]): Paint {
  const box = { left: 0, bottom: 0, right: width, top: height }
  return { ...plainPaint('fill', box, box), segments }
}
const triangle = (width: number, height: number) =>
  formOf(width, height, [
    [
      [0, 0],
      [width, 0],
    ],
    [
      [width, 0],
      [width, height],
    ],
    [
      [width, height],
      [0, 0],
    ],
  ])
/** Flat bars from side to side above each other. */
const bars = (width: number, count: number) =>
  formOf(
    width,
    1,
    Array.from({ length: count }, (_, at): Segment[] => {
      const [bottom, top] = [at / count, (at + 0.5) / count]
      return [
        [
          [0, top],
          [0, bottom],
        ],
        [
          [width, bottom],
          [width, top],
        ],
      ]
    }).flat(),
  )

function spentOn(paint: Paint): number {
  let spent = 0
  stripsOf(paint, (steps) => {
    spent += steps
  })
  return spent
}

test('strips of an emblem: have its area', () => {
  const areaIn = (paint: Paint) =>
    stripsOf(paint, () => {}).reduce((sum, { box, part }) => sum + areaOf(box) * part, 0)
  expect(areaIn(triangle(200, 100))).toBeCloseTo(10_000, -2)
  expect(areaIn(bars(200, 16))).toBeCloseTo(100, 0)
  // Of edges that end at many heights, no less is filled than there is.
  for (const many of [30, 50]) expect(areaIn(bars(200, many))).toBeGreaterThanOrEqual(100)
})

test('strips of an emblem: cost as much as there are rows and columns', () => {
  expect(costOfStrips(triangle(2000, 400), 1_000_000)).toBeGreaterThan(400 * 50)
  expect(costOfStrips(triangle(2000, 4), 1_000_000)).toBeLessThan(500)
  expect(costOfStrips(triangle(2000, 400), 100)).toBe(100)
  expect(spentOn(triangle(2000, 400))).toBeGreaterThan(100_000)
  expect(spentOn(triangle(20, 400))).toBeLessThan(10_000)
})

test('strips of an emblem: cost as much as bars in a row have columns', () => {
  expect(spentOn(bars(1600, 16))).toBeGreaterThan(16 * 400)
  expect(spentOn(bars(16, 16))).toBeLessThan(1000)
})

test('strips: cost as many rows as their edges go through, and a part of their columns', () => {
  // Edges in 1, 11 and 11 rows; one column in each of ten rows.
  expect(costOfStrips(triangle(4, 10), 100)).toBe(23 + 10 / 8)
  expect(costOfStrips(triangle(4, 10), 20)).toBe(20)
})
