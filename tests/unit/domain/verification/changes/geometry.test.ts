import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, name, type PdfObject } from '#server/domain/pdf/object.ts'
import {
  areaOf,
  boxIn,
  cornersOf,
  crosses,
  grownBy,
  intersection,
  isWithin,
  matrixIn,
  meets,
  overlaps,
  product,
  transformed,
} from '#server/domain/verification/looks/geometry.ts'

const BOX = { left: 10, bottom: 10, right: 20, top: 20 }

test.each([
  ['through the box', [0, 0], [30, 30], true],
  ['that ends in it', [0, 15], [12, 15], true],
  ['inside it', [12, 12], [18, 14], true],
  ['along its edge', [10, 0], [10, 30], true],
  ['that ends before it', [0, 0], [9, 9], false],
  ['past its corner, though its own box holds the box', [0, 25], [40, 15.1], false],
  ['beside it', [25, 0], [25, 30], false],
  ['before it', [5, 0], [5, 30], false],
  ['below it', [0, 5], [30, 5], false],
  ['above it', [0, 25], [30, 25], false],
  ['through one of its corners', [0, 20], [20, 0], true],
] as const)('crosses: a line %s', (_name, start, end, isCrossed) => {
  expect(crosses([start, end], BOX)).toBe(isCrossed)
  expect(crosses([end, start], BOX)).toBe(isCrossed)
})

const boxOf = (left: number, bottom: number, right: number, top: number) => ({
  ...{ left, bottom, right, top },
})

test('boxes: what two share, and whether it is a point or more than a hair', () => {
  expect(intersection(BOX, boxOf(15, 5, 30, 18))).toEqual(boxOf(15, 10, 20, 18))
  expect(intersection(boxOf(0, 12, 18, 40), BOX)).toEqual(boxOf(10, 12, 18, 20))
  const beside = [boxOf(20, 10, 30, 20), boxOf(10, 20, 20, 30), boxOf(21, 10, 30, 20)]
  expect(beside.map((box) => meets(BOX, box))).toEqual([true, true, false])
  expect(beside.map((box) => overlaps(BOX, box))).toEqual([false, false, false])
  expect(overlaps(BOX, boxOf(19, 19, 30, 30))).toBe(true)
  expect(overlaps(BOX, boxOf(19.5, 10, 30, 20))).toBe(false)
  expect(overlaps(BOX, boxOf(10, 19.5, 20, 30))).toBe(false)
  expect([areaOf(BOX), areaOf(boxOf(5, 0, 0, 9)), areaOf(boxOf(0, 9, 5, 0))]).toEqual([100, 0, 0])
})

test('boxes: one is inside another up to the tolerance on each side', () => {
  expect(isWithin(grownBy(BOX, 1), BOX, 1)).toBe(true)
  for (const side of ['left', 'bottom'] as const)
    expect(isWithin({ ...BOX, [side]: 8.9 }, BOX, 1)).toBe(false)
  for (const side of ['right', 'top'] as const)
    expect(isWithin({ ...BOX, [side]: 21.1 }, BOX, 1)).toBe(false)
})

test('boxes: grow to all sides, and have four corners around', () => {
  expect(grownBy(BOX, 1)).toEqual(boxOf(9, 9, 21, 21))
  expect(cornersOf(boxOf(1, 2, 3, 4))).toEqual([
    [1, 2],
    [3, 2],
    [3, 4],
    [1, 4],
  ])
})

test('matrices: the first one is done first', () => {
  const [moved, doubled] = [[1, 0, 0, 1, 3, 4] as const, [2, 0, 0, 2, 0, 0] as const]
  expect(transformed(product(moved, doubled), [1, 1])).toEqual([8, 10])
  expect(transformed(product(doubled, moved), [1, 1])).toEqual([5, 6])
  expect(transformed([2, 3, 5, 7, 11, 13], [17, 19])).toEqual([140, 197])
  expect(product([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12])).toEqual([25, 28, 57, 64, 100, 112])
})

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument
const LARGEST = 2 ** 31 - 1

test('boxes and matrices in a file: numbers that all readers take for the same', () => {
  expect(boxIn(document, array([20, 20, 10, 10]))).toEqual(BOX)
  expect(boxIn(document, array([0, 0, LARGEST, -LARGEST]))).toEqual(boxOf(0, -LARGEST, LARGEST, 0))
  expect(matrixIn(document, array([1, 2, 3, 4, 5, 6]))).toEqual([1, 2, 3, 4, 5, 6])
  expect(matrixIn(document, undefined)).toEqual([1, 0, 0, 1, 0, 0])
  for (const wrong of [LARGEST + 1, -LARGEST - 1, null, name('a'), true]) {
    expect(boxIn(document, array([0, 0, 9, wrong]))).toBeUndefined()
    expect(matrixIn(document, array([1, 0, 0, 1, 0, wrong]))).toBeUndefined()
  }
  expect(boxIn(document, array([0, 0, 9]))).toBeUndefined()
  expect(boxIn(document, array([0, 0, 9, 9, 9]))).toBeUndefined()
  expect(boxIn(document, 9)).toBeUndefined()
  expect(matrixIn(document, array([1, 0, 0, 1, 0]))).toBeUndefined()
  expect(matrixIn(document, 9)).toBeUndefined()
})
