import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { WINDOWS } from '#server/domain/pdf/outlines/densest-part.ts'
import {
  BLACK_PART,
  blackPartOf,
  darkestTrace,
  extentOf,
} from '#server/domain/verification/changes/cover/letter-ink.ts'
import type { Box } from '#server/domain/verification/looks/geometry.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import type { Run } from '#server/domain/verification/looks/marks.ts'

const boxOf = (left: number, bottom: number, right: number, top: number): Box => ({
  ...{ left, bottom, right, top },
})
const EVERYWHERE = boxOf(-1e6, -1e6, 1e6, 1e6)
const fontWith = (bounds?: Box) => ({ drawsSigns: false, bounds: () => bounds }) as LookFont

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
  ...{ font: fontWith(), clip: EVERYWHERE, isOpaque: true },
  ...{ isRecoloured: false, gaps: { letter: 0, blank: 0 } },
  ...changes,
})

test('extent of letters: usual ones, and those of the file by their outlines', () => {
  expect(extentOf(aRun())).toEqual(boxOf(10, 97.5, 30, 107.5))
  const font = fontWith(boxOf(-0.5, -1, 3, 2))
  expect(extentOf(aRun({ font }))).toEqual(boxOf(5, 90, 50, 120))
  expect(extentOf(aRun({ font, end: [10, 100] }))).toEqual(boxOf(5, 90, 30, 120))
})

test('extent of letters: as far to each side as to any, where they are turned', () => {
  const font = fontWith(boxOf(-0.5, -1, 3, 2))
  expect(extentOf(aRun({ font, end: [10, 120] }))).toEqual(boxOf(-10, 80, 30, 140))
  expect(extentOf(aRun({ font, end: [-10, 100] }))).toEqual(boxOf(-30, 80, 30, 120))
  expect(extentOf(aRun({ font, end: [30, 101] }))).toEqual(boxOf(-10, 80, 50, 121))
  const inside = fontWith(boxOf(0, 0, 1, 0))
  expect(extentOf(aRun({ font: inside, end: [10, 120] }))).toEqual(boxOf(10, 100, 10, 120))
})

test('letters are about a third black, signs and those with wide outlines are wholly', () => {
  expect(blackPartOf(aRun())).toBe(BLACK_PART)
  expect(blackPartOf(aRun({ font: { ...fontWith(), drawsSigns: true } }))).toBe(1)
  expect(blackPartOf(aRun({ mode: 2, lineWidth: 0.7 }))).toBe(1)
  expect(blackPartOf(aRun({ mode: 2, lineWidth: 0.6 }))).toBe(BLACK_PART)
  expect(blackPartOf(aRun({ mode: 0, lineWidth: 0.7 }))).toBe(BLACK_PART)
})

/** A file whose letters fill so much of each window. */
const fileWith = (densest: readonly number[] | undefined) =>
  ({ once: () => () => () => densest }) as unknown as PdfDocument
const all = (part: number) => WINDOWS.map(() => part)

test('trace of letters: that of usual ones without a font, and of those that are not seen', () => {
  expect(darkestTrace(fileWith(undefined), aRun({ font: undefined })).part).toBe(BLACK_PART)
  for (const mode of [3, 7])
    expect(darkestTrace(fileWith(undefined), aRun({ mode })).part).toBe(BLACK_PART)
  expect(darkestTrace(fileWith(undefined), aRun()).part).toBe(1)
})

test('trace of letters: as black as the densest of them make a line', () => {
  const part = (densest: number, changes: Partial<Run> = {}) =>
    darkestTrace(fileWith(all(densest)), aRun(changes)).part
  expect(part(0.6)).toBeCloseTo(0.36)
  expect(part(0.1)).toBe(BLACK_PART)
  expect(part(0.69)).toBeCloseTo(0.414)
  expect(part(0.7)).toBe(1)
  // Twice as many letters in the same place: 2.5 points each, of 10.
  expect(part(0.6, { letters: 8 })).toBe(1)
  expect(part(0.34, { letters: 8 })).toBe(BLACK_PART)
  expect(part(0.6, { letters: 1, end: [10, 100] })).toBeCloseTo(0.36)
  expect(part(0.6, { letters: 8, stretch: 0.5 })).toBeCloseTo(0.36)
})

test('trace of letters: a block has the extent of its outlines, too', () => {
  const font = fontWith(boxOf(-0.5, -1, 3, 2))
  const { box } = darkestTrace(fileWith(all(1)), aRun({ font }))
  expect(box).toMatchObject({ bottom: 90, right: 50, top: 120 })
  const thin = darkestTrace(fileWith(all(0.1)), aRun({ font })).box
  expect(thin.top).toBeLessThan(120)
})

test('trace of letters: what fills a window as large as a digit', () => {
  const rising = WINDOWS.map((_, at) => (at + 1) / 100)
  const part = (reach: number) =>
    darkestTrace(fileWith(rising.map((one) => one + 0.5)), aRun({ reach, letters: 1 })).part
  const found = WINDOWS.map((side) => part(10 / side))
  expect(found).toEqual(WINDOWS.map((_, at) => expect.closeTo(((at + 1) / 100 + 0.5) * 0.6)))
  expect(part(1_000)).toBeCloseTo(0.51 * 0.6)
})
