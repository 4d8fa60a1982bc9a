import { expect, test } from 'vitest'
import {
  edgeCountOf,
  edgesOf,
  filledStrips,
} from '#server/domain/verification/looks/filled-strips.ts'
import { areaOf, type Segment } from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint } from '#server/domain/verification/looks/marks.ts'

const BOX = { left: 0, bottom: 0, right: 8, top: 4 }
const BASE: Segment = [
  [8, 0],
  [0, 0],
]
/** An arch above its base, 3 high in its middle. */
const ARCH: Paint = {
  ...plainPaint('fill', BOX, BOX),
  closings: [BASE],
  arcs: [
    [
      [0, 0],
      [1, 4],
      [7, 4],
      [8, 0],
    ],
  ],
}

test('edges of an area: chords of a curve follow it from its start to its end', () => {
  const edges = edgesOf(ARCH)
  expect(edges).toHaveLength(edgeCountOf(ARCH))
  const chords = edges.filter((edge) => edge !== BASE)
  expect(chords[0]?.[0]).toEqual([0, 0])
  expect(chords.at(-1)?.[1]).toEqual([8, 0])
  for (const [at, [from]] of chords.slice(1).entries()) expect(from).toEqual(chords[at]?.[1])
  // At a quarter, a half and three quarters of it.
  const ends = chords.map(([, end]) => end)
  for (const point of [
    [1.53125, 2.25],
    [4, 3],
    [6.46875, 2.25],
  ])
    expect(ends).toContainEqual(point)
})

test('strips of an area: have its size between the levels', () => {
  const levels = Array.from({ length: 301 }, (_, at) => at / 100)
  const strips = [...filledStrips(edgesOf(ARCH), levels, () => {})]
  // The curve itself has 18 square points below it, its chords a bit less.
  expect(strips.reduce((sum, strip) => sum + areaOf(strip), 0)).toBeCloseTo(17.6, 1)
})

test('strips of an area: cost as much as it has edges, also where it has no levels', () => {
  const many = Array.from({ length: 1000 }, () => BASE)
  let spent = 0
  const strips = filledStrips(many, [], (steps) => {
    spent += steps
  })
  expect([...strips]).toEqual([])
  expect(spent).toBe(1000)
})
