import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import {
  cellsOf,
  lossBelow,
  lossesOfContent,
  lossOf,
} from '#server/domain/verification/changes/cover/content-loss.ts'
import type { Box, Segment } from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint, type Run } from '#server/domain/verification/looks/marks.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

const boxOf = (left: number, bottom: number, right: number, top: number): Box => ({
  ...{ left, bottom, right, top },
})
const EVERYWHERE = boxOf(-1e6, -1e6, 1e6, 1e6)
const AREA = boxOf(0, 0, 200, 200)

/** Four letters of ten points from (10, 100) to (30, 100). */
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
  ...{ stretch: 1, isUpright: true, mode: 0, lineWidth: 0, lightness: 0, outline: 0 },
  ...{ font: undefined, clip: EVERYWHERE, isOpaque: true },
  ...{ isRecoloured: false, gaps: { letter: 0, blank: 0 } },
  ...changes,
})

/** Thin lines one after the other. */
const lines = (lightness: number, ...points: readonly (readonly [number, number])[]): Paint => {
  const segments = points.slice(1).map((end, at): Segment => [points[at]!, end])
  const [across, up] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const box = boxOf(Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up))
  return { ...plainPaint('stroke', box, EVERYWHERE), segments, lineWidth: 1, lightness }
}

const filled = (box: Box, lightness: number): Paint => {
  const { left, bottom, right, top } = box
  const corners = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ] as const
  const segments = corners.map((corner, at): Segment => [corner, corners[(at + 1) % 4]!])
  return { ...plainPaint('fill', box, EVERYWHERE), segments, lightness }
}

test('loss: lines of a frame are no loss, unless they are as high as digits of the page are drawn', () => {
  expect(lossOf(lines(0, [10, 50], [110, 50]), AREA)).toBe('none')
  expect(lossOf(lines(0, [10, 50], [10, 68]), AREA)).toBe('hidden')
  expect(lossOf(lines(0, [10, 50], [10, 70]), AREA)).toBe('doubtful')
  expect(lossOf(lines(0, [10, 50], [10, 250]), AREA)).toBe('none')
})

test('loss: of pale words across the page something may be left, of those along it nothing', () => {
  const part = boxOf(20, 90, 40, 140)
  const sides = [
    [7, 7],
    [-7, 7],
  ] as const
  const across = aRun({ sides, isUpright: false, lightness: 0.6, start: [10, 80], end: [60, 130] })
  expect(lossOf(across, part)).toBe('doubtful')
  expect(lossOf({ ...across, lightness: 0.5 }, part)).toBe('hidden')
  expect(lossOf({ ...across, end: [60, 80] }, boxOf(20, 70, 40, 90))).toBe('hidden')
  const line = lines(0.6, [10, 80], [60, 130])
  expect(lossOf(line, part)).toBe('doubtful')
  expect(lossOf(lines(0.6, [10, 80], [60, 130], [75, 130]), part)).toBe('hidden')
})

test('loss: white on paper is none, white on a dark ground may be letters', () => {
  const ground = filled(boxOf(-100, -100, 400, 400), 0)
  const white = filled(boxOf(20, 20, 30, 40), 1)
  expect(lossBelow([white], AREA)).toBe('none')
  expect(lossBelow([ground], AREA)).toBe('none')
  expect(lossBelow([ground, white], AREA)).toBe('doubtful')
  expect(lossBelow([filled(boxOf(-100, -100, 400, 400), 1), white], AREA)).toBe('none')
  const elsewhere = filled(boxOf(300, 300, 310, 320), 1)
  expect(lossBelow([ground, elsewhere], AREA)).toBe('none')
  const word = aRun({ lightness: 1, start: [300, 300], end: [320, 300] })
  expect(lossBelow([ground, word], AREA)).toBe('none')
  expect(lossBelow([ground, plainPaint('picture', boxOf(20, 20, 30, 40), EVERYWHERE)], AREA)).toBe(
    'none',
  )
})

test('cells: about one for each letter, along the text; none for frames and pictures', () => {
  expect(cellsOf(aRun())).toEqual([boxOf(10, 99, 20, 106), boxOf(20, 99, 30, 106)])
  const upwards = {
    sides: [
      [0, 10],
      [-10, 0],
    ],
    start: [10, 100],
    end: [10, 120],
  } as const
  expect(cellsOf(aRun(upwards))).toEqual([boxOf(4, 100, 11, 110), boxOf(4, 110, 11, 120)])
  const slanted = {
    sides: [
      [6, 8],
      [-8, 6],
    ],
    start: [10, 100],
    end: [22, 116],
  } as const
  expect(cellsOf(aRun(slanted))).toEqual([boxOf(5, 95, 21, 113), boxOf(11, 103, 27, 121)])
  expect(cellsOf(lines(0, [10, 50], [110, 50]))).toEqual([])
  expect(cellsOf(plainPaint('picture', AREA, EVERYWHERE))).toEqual([])
})

test('loss of a page: is paid for once for each look, also of one that hides nothing', () => {
  const spend = vi.fn()
  const before = readDocument(memorySource(pdfWithTable(bodiesWithPages(1))))
  const losses = lossesOfContent()
  const content = { marks: [aRun()], isWhole: true, isUnread: false, pieces: 1000 }
  const lookWith = (areas: number) => ({
    ...{ place: AREA, traces: [], darkest: () => [], fonts: [], letters: [] },
    areas: Array.from({ length: areas }, () => ({ box: AREA, isEmblem: false })),
    reachOut: 'none' as const,
  })
  const empty = lookWith(0)
  const first = losses(content, empty, { spend, before })
  expect(first).toMatchObject({ loss: 'none', isWritten: true })
  expect(losses(content, empty, { spend, before })).toBe(first)
  expect(losses(content, lookWith(4), { spend, before })).toMatchObject({ loss: 'hidden' })
  expect(spend.mock.calls).toEqual([[10], [50]])
  const beside = losses(
    content,
    { ...lookWith(0), place: boxOf(100, 0, 200, 50) },
    { spend, before },
  )
  expect(beside).toMatchObject({ isWritten: false, cells: [], isReached: false })
})
