import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { IDENTITY } from '#server/domain/verification/looks/geometry.ts'
import {
  covers,
  type Graphics,
  INITIAL,
  inGroup,
  joinOf,
  miterLimitOf,
  withParameters,
} from '#server/domain/verification/looks/graphics.ts'

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument
const clip = { left: 0, bottom: 0, right: 9, top: 9 }
const start: Graphics = { ...INITIAL, matrix: IDENTITY, clip }
const set = (entries: Record<string, PdfObject>, graphics = start) =>
  withParameters(document, graphics, new Map(Object.entries(entries)))

test.each<[Record<string, PdfObject>, Partial<Graphics>]>([
  [{ LW: 3 }, { lineWidth: 3 }],
  [{ LJ: 1 }, { join: 1 }],
  [{ LJ: 7 }, { join: 0 }],
  [{ ML: 4 }, { miterLimit: 4 }],
  [{ BM: name('Normal') }, {}],
  [{ BM: array([name('Compatible'), name('Multiply')]) }, {}],
  [{ BM: name('Multiply') }, { isOpaque: false, darkens: true, mixing: 'multiplied' }],
  [{ BM: name('Darken') }, { isOpaque: false, darkens: true, mixing: 'multiplied' }],
  [{ BM: name('ColorBurn') }, { isOpaque: false, darkens: true, mixing: 'odd' }],
  [{ BM: name('Screen') }, { isOpaque: false, mixing: 'odd' }],
  [{ BM: 1 }, { isOpaque: false, mixing: 'odd' }],
  [{ CA: 1, ca: 1 }, {}],
  [{ CA: 0.5 }, { isOpaque: false, strokeAlpha: 0.5 }],
  [{ ca: 0 }, { isOpaque: false, fillAlpha: 0 }],
  [{ ca: 1.5 }, { isOpaque: false }],
  [{ ca: -0.5 }, { isOpaque: false }],
  [{ CA: name('a') }, { isOpaque: false }],
  [{ SMask: name('None') }, {}],
  [{ Type: name('ExtGState'), SA: true, OP: true, op: false, OPM: 1, D: array([]) }, {}],
])('graphics state: %j', (entries, changes) => {
  expect(set(entries)).toEqual({ graphics: { ...start, ...changes }, isOdd: false, isCut: false })
})

test.each<[Record<string, PdfObject>, boolean, boolean, Partial<Graphics>?]>([
  [{ SMask: dictionary({}) }, true, true, { isMasked: true }],
  [{ Font: array([]) }, true, true],
  [{ TR: name('Identity') }, true, false],
  [{ TR: dictionary({}) }, true, false, { isTransferred: true }],
  [{ TR2: array([]) }, true, false, { isTransferred: true }],
  [{ LW: name('a') }, true, false],
  [{ TR: name('Identity'), SA: true }, true, false],
  [{ SMask: dictionary({}), SA: true }, true, true, { isMasked: true }],
])('graphics state: the effect of %j is not computed', (entries, isOdd, isCut, changes = {}) => {
  expect(set(entries)).toEqual({ graphics: { ...start, ...changes }, isOdd, isCut })
})

test('graphics state: what is transparent stays so, and a group mixes with itself', () => {
  const { graphics } = set({ ca: 0.5 })
  expect(set({ ca: 1 }, graphics).graphics).toEqual({ ...start, isOpaque: false })
  const grouped = inGroup(start)
  expect(grouped.isGrouped).toBe(true)
  expect(set({ BM: name('Darken') }, grouped).graphics.darkens).toBe(false)
  const darkening = { ...start, darkens: true }
  expect(set({ BM: name('Normal') }, darkening).graphics.darkens).toBe(false)
  expect(set({ BM: name('Normal') }, inGroup(darkening)).graphics.darkens).toBe(true)
})

test('joins and their limit: what is none reaches farthest', () => {
  expect([0, 1, 2, 3, undefined, name('a')].map(joinOf)).toEqual([0, 1, 2, 0, 0, 0])
  const [none, all] = [Number.POSITIVE_INFINITY, [1, 10, 0.9, 0, -1, undefined, name('a')]]
  expect(all.map(miterLimitOf)).toEqual([1, 10, none, none, none, none, none])
})

test('ink covers what is below unless it is thin, or pale and only darkens', () => {
  expect(covers(start, 'fill', 1)).toBe(true)
  expect(covers({ ...start, fillAlpha: 0.3 }, 'fill', 0)).toBe(false)
  expect(covers({ ...start, fillAlpha: 0.31 }, 'picture', 0)).toBe(true)
  expect(covers({ ...start, fillAlpha: 0 }, 'stroke', 0)).toBe(true)
  expect(covers({ ...start, strokeAlpha: 0.3 }, 'stroke', 0)).toBe(false)
  expect(covers({ ...start, strokeAlpha: 0 }, 'fill', 0)).toBe(true)
  const darkening = { ...start, darkens: true }
  expect([0.59, 0.6, 1, undefined].map((one) => covers(darkening, 'fill', one))).toEqual([
    ...[true, false, false, true],
  ])
})
