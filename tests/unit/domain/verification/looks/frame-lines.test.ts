import { describe, expect, test } from 'vitest'
import type { Frame } from '#server/domain/verification/looks/frame.ts'
import {
  hides,
  isEdge,
  isGround,
  isRectangle,
  isSamePaint,
} from '#server/domain/verification/looks/frame-lines.ts'
import {
  type Box,
  boxAround,
  cornersOf,
  type Point,
  type Segment,
} from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint } from '#server/domain/verification/looks/marks.ts'

const boxOf = (left: number, bottom: number, right: number, top: number): Box => ({
  ...{ left, bottom, right, top },
})
const EVERYWHERE = boxOf(-1e6, -1e6, 1e6, 1e6)
const FRAME = { width: 100, height: 20 } as Frame

/** A line or area through these points. */
const through = (
  kind: 'fill' | 'stroke',
  points: Point[],
  changes: Partial<Paint> = {},
): Paint => ({
  ...plainPaint(kind, boxAround(points), EVERYWHERE),
  segments: points.slice(1).map((point, at): Segment => [points[at]!, point]),
  ...{ lineWidth: kind === 'stroke' ? 1 : 0, lightness: 0 },
  ...changes,
})
const area = (box: Box, changes: Partial<Paint> = {}) => {
  const corners = cornersOf(box)
  return through('fill', [...corners, corners[0]!], changes)
}
const line = (from: Point, to: Point, changes: Partial<Paint> = {}) =>
  through('stroke', [from, to], changes)

test('an area hides what is below it, a line and what is transparent do not', () => {
  const box = boxOf(0, 0, 9, 9)
  const opaque = (['fill', 'picture', 'stroke'] as const).map((kind) =>
    hides(plainPaint(kind, box, box)),
  )
  expect(opaque).toEqual([true, true, false])
  expect(hides({ ...plainPaint('fill', box, box), isOpaque: false })).toBe(false)
})

describe('same paint', () => {
  const one = line([10, 2], [50, 9])

  test.each<[string, Paint, boolean]>([
    ['itself', one, true],
    ['moved by less than half a point', line([10.4, 2], [50, 9.4]), true],
    ['about as wide', { ...one, lineWidth: 1.09 }, true],
    ['moved to the side', line([10.5, 2], [50, 9]), false],
    ['moved up at its end', line([10, 2], [50, 9.5]), false],
    ['wider', { ...one, lineWidth: 1.1 }, false],
    ['an area', { ...one, kind: 'fill' }, false],
    ['transparent', { ...one, isOpaque: false }, false],
    ['lighter', { ...one, lightness: 0.1 }, false],
    ['with a curve', { ...one, curves: [boxOf(10, 2, 50, 9)] }, false],
    ['with a line more', { ...one, segments: [...one.segments, ...one.segments] }, false],
    ['cut by a clip at its left', { ...one, clip: boxOf(20, 0, 100, 20) }, false],
    ['cut by a clip at its foot', { ...one, clip: boxOf(0, 4, 100, 20) }, false],
    ['cut by a clip at its right', { ...one, clip: boxOf(0, 0, 40, 20) }, false],
    ['cut by a clip at its head', { ...one, clip: boxOf(0, 0, 100, 7) }, false],
  ])('%s', (_, other, isSame) => {
    expect(isSamePaint(one, other)).toBe(isSame)
    expect(isSamePaint(other, one)).toBe(isSame)
  })
})

describe('edge of a field', () => {
  const FOOT: [Point, Point] = [
    [0, 1],
    [100, 1],
  ]

  test.each<[string, Paint, boolean]>([
    ['a line along the foot', line(...FOOT), true],
    ['one along the head', line([0, 19], [100, 19]), true],
    ['one along the left', line([1, 0], [1, 20]), true],
    ['one along the right', line([99, 0], [99, 20]), true],
    ['the whole border', through('stroke', [...cornersOf(boxOf(1, 1, 99, 19)), [1, 1]]), true],
    ['one of the widest', line([0, 2.5], [100, 2.5], { lineWidth: 3 }), true],
    ['a wider one', line([0, 1], [100, 1], { lineWidth: 3.1 }), false],
    ['as far from the foot as an edge is', line([0, 3.5], [100, 3.5]), true],
    ['farther', line([0, 3.6], [100, 3.6]), false],
    ['as far from the head', line([0, 16.5], [100, 16.5]), true],
    ['farther from the head', line([0, 16.4], [100, 16.4]), false],
    ['nearly as long as the field', line([0, 1], [72, 1]), true],
    ['shorter', line([0, 1], [71.9, 1]), false],
    ['nearly as high', line([1, 0], [1, 8]), true],
    ['lower', line([1, 0], [1, 7.9]), false],
    ['as far from the side', line([3.5, 0], [3.5, 20]), true],
    ['farther from the side', line([3.6, 0], [3.6, 20]), false],
    ['slanted', line([0, 1], [100, 1.1]), false],
    ['leaning', line([1, 0], [1.1, 20]), false],
    ['without a line', line([0, 1], [100, 1], { segments: [] }), false],
    ['with a curve', line([0, 1], [100, 1], { curves: [boxOf(0, 1, 9, 1)] }), false],
    ['cut by a clip', line([0, 1], [100, 1], { clip: boxOf(2, 0, 100, 20) }), false],
    ['in a clip of its size', line([0, 1], [100, 1], { clip: boxOf(1, 0, 99, 20) }), true],
  ])('line: %s', (_, paint, isOne) => {
    expect(isEdge(paint, FRAME)).toBe(isOne)
  })

  test('line: at most eight', () => {
    const many = (count: number) =>
      line(...FOOT, { segments: Array.from({ length: count }, (): Segment => FOOT) })
    expect([8, 9].map((count) => isEdge(many(count), FRAME))).toEqual([true, false])
  })

  test.each<[string, Box, boolean]>([
    ['at the foot', boxOf(0, 0, 100, 4), true],
    ['too high for the foot', boxOf(0, 0, 100, 4.1), false],
    ['at the head', boxOf(0, 16, 100, 20), true],
    ['too low for the head', boxOf(0, 15.9, 100, 20), false],
    ['at the left', boxOf(0, 0, 4, 20), true],
    ['too wide for the left', boxOf(0, 0, 4.1, 20), false],
    ['at the right', boxOf(96, 0, 100, 20), true],
    ['too wide for the right', boxOf(95.9, 0, 100, 20), false],
    ['nearly as long as the field', boxOf(20, 0, 100, 4), true],
    ['shorter', boxOf(20.1, 0, 100, 4), false],
    ['nearly as high', boxOf(0, 4, 4, 20), true],
    ['lower', boxOf(0, 4.1, 4, 20), false],
  ])('area: %s', (_, box, isOne) => {
    expect(isEdge(area(box), FRAME)).toBe(isOne)
  })

  test('of a small field: never a whole half', () => {
    const small = { width: 100, height: 8 } as Frame
    expect(isEdge(area(boxOf(0, 0, 100, 2)), small)).toBe(true)
    expect(isEdge(area(boxOf(0, 0, 100, 2.1)), small)).toBe(false)
    const triangle = through('fill', [
      [0, 0],
      [100, 0],
      [100, 4],
      [0, 0],
    ])
    expect(isEdge(triangle, FRAME)).toBe(false)
  })
})

test('rectangle: four sides, once around', () => {
  const box = boxOf(10, 2, 50, 9)
  const [a, b, c, d] = cornersOf(box) as [Point, Point, Point, Point]
  expect(isRectangle(area(box))).toBe(true)
  expect(isRectangle(through('fill', [a, d, c, b, a]))).toBe(true)
  expect(isRectangle(through('fill', [a, b, c, [10.4, 9], a]))).toBe(true)
  for (const points of [
    [a, b, c, d],
    [a, b, c, d, a, b],
    [a, c, b, d, a],
    [a, b, a, b, a],
    [a, b, c, [10, 5], a],
    [a, b, c, [12, 9], a],
  ] as Point[][])
    expect(isRectangle(through('fill', points))).toBe(false)
  expect(isRectangle(area(box, { curves: [box] }))).toBe(false)
})

test.each<[string, Paint, boolean]>([
  ['the whole field', area(boxOf(0, 0, 100, 20)), true],
  ['nearly all of it', area(boxOf(4, 4, 96, 16)), true],
  ['less at the left', area(boxOf(4.1, 0, 100, 20)), false],
  ['less at the foot', area(boxOf(0, 4.1, 100, 20)), false],
  ['less at the right', area(boxOf(0, 0, 95.9, 20)), false],
  ['less at the head', area(boxOf(0, 0, 100, 15.9)), false],
  ['a clip that leaves most of it', area(boxOf(0, 0, 100, 20), { clip: boxOf(0, 0, 72, 8) }), true],
  ['a narrower clip', area(boxOf(0, 0, 100, 20), { clip: boxOf(0, 0, 71.9, 20) }), false],
  ['a lower clip', area(boxOf(0, 0, 100, 20), { clip: boxOf(0, 0, 100, 7.9) }), false],
  ['a curve', area(boxOf(0, 0, 100, 20), { curves: [boxOf(0, 0, 9, 9)] }), false],
])('ground of a field: %s', (_, paint, isOne) => {
  expect(isGround(paint, FRAME)).toBe(isOne)
})

test('ground of a field: has at most eight sides', () => {
  const whole = area(boxOf(0, 0, 100, 20))
  const twice = [...whole.segments, ...whole.segments]
  expect(isGround({ ...whole, segments: twice }, FRAME)).toBe(true)
  expect(isGround({ ...whole, segments: [...twice, twice[0]!] }, FRAME)).toBe(false)
})
