import { expect, test } from 'vitest'
import { boxOf, halfOf } from '#server/domain/verification/changes/cover/mark-box.ts'
import type { Box } from '#server/domain/verification/looks/geometry.ts'
import { plainPaint, type Run } from '#server/domain/verification/looks/marks.ts'

const box = (left: number, bottom: number, right: number, top: number): Box => ({
  ...{ left, bottom, right, top },
})
const EVERYWHERE = box(-1e6, -1e6, 1e6, 1e6)

/** Letters of ten points from (10, 100) to (30, 100). */
const aRun = (changes: Partial<Run> = {}): Run => ({
  ...{
    kind: 'text',
    isApart: true,
    text: 'Anas',
    letters: 4,
    codes: new Uint8Array(4),
    start: [10, 100],
  },
  ...{ leastEnd: 24, mostEnd: 38, likelyEnd: 30, reach: 10, end: [30, 100], slack: 0, size: 10 },
  sides: [
    [10, 0],
    [0, 10],
  ],
  ...{ stretch: 1, isUpright: true, mode: 0, lineWidth: 4, lightness: 0, outline: 0 },
  ...{ font: undefined, clip: EVERYWHERE, isOpaque: true },
  ...{ isRecoloured: false, gaps: { letter: 0, blank: 0 } },
  ...changes,
})

test('place of a mark: a line reaches half of its width to either side, an area does not', () => {
  const place = box(10, 10, 50, 20)
  const line = { ...plainPaint('stroke', place, EVERYWHERE), lineWidth: 4 }
  const area = { ...plainPaint('fill', place, EVERYWHERE), lineWidth: 4 }
  expect([halfOf(line), halfOf(area)]).toEqual([2, 0])
  expect(boxOf(line)).toEqual(box(8, 8, 52, 22))
  expect(boxOf(area)).toEqual(place)
})

test('place of a text: from below its line to above, with outlines where they are drawn', () => {
  expect(boxOf(aRun())).toEqual(box(10, 99, 30, 106))
  expect(boxOf(aRun({ end: [12, 100] }))).toEqual(box(10, 99, 15, 106))
  expect(boxOf(aRun({ mode: 2 }))).toEqual(box(8, 97, 32, 108))
})

test('place of a text that is turned by quarters: from below its line to above', () => {
  const turned = (along: readonly [number, number], up: readonly [number, number]) =>
    boxOf(aRun({ sides: [along, up], end: [10 + 2 * along[0], 100 + 2 * along[1]] }))
  expect(turned([0, 10], [-10, 0])).toEqual(box(4, 100, 11, 120))
  expect(turned([-10, 0], [0, -10])).toEqual(box(-10, 94, 10, 101))
  expect(turned([0, -10], [10, 0])).toEqual(box(9, 80, 16, 100))
  expect(turned([0, 10], [10, 0])).toEqual(box(9, 100, 16, 120))
})

test('place of a slanted text: from its start to its end, as far as a letter to all sides', () => {
  const slanted = {
    sides: [
      [6, 8],
      [-8, 6],
    ],
    end: [40, 140],
  } as const
  expect(boxOf(aRun(slanted))).toEqual(box(0, 90, 50, 150))
  expect(boxOf(aRun({ ...slanted, mode: 1 }))).toEqual(box(-2, 88, 52, 152))
})
