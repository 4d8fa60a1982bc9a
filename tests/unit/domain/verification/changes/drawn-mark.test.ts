import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { isDrawnLegibly, tracesByReaders } from '#server/domain/verification/changes/drawn-mark.ts'

/* Marks of a text that have no look of their own, so that readers draw them. */

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument
const markOf = (kind: string, entries: Record<string, PdfObject>) =>
  new Map<string, PdfObject>(
    Object.entries({ Subtype: name(kind), Rect: array([0, 0, 300, 300]), ...entries }),
  )
/** Words from 10 to 110, above `bottom`. */
const words = (bottom: number, height: number) => [
  ...[10, bottom + height, 110, bottom + height],
  ...[10, bottom, 110, bottom],
]
const places = (...quads: readonly (readonly number[])[]) => ({ QuadPoints: array(quads.flat()) })
const YELLOW = { C: array([1, 1, 0]) }

test.each([
  ['Highlight', 100, 120],
  ['Underline', 100, 104],
  ['Squiggly', 99, 104],
  ['StrikeOut', 107.8, 110.2],
])('%s: is drawn over its part of the words', (kind, bottom, top) => {
  const [first, second, third] = tracesByReaders(
    document,
    markOf(kind, { ...YELLOW, ...places(words(100, 20), words(200, 20), words(240, 20)) }),
  )
  expect(first?.box.bottom).toBeCloseTo(bottom)
  expect(first?.box.top).toBeCloseTo(top)
  expect(first).toMatchObject({ box: { left: 10, right: 110 } })
  expect(second?.box.bottom).toBeCloseTo(bottom + 100)
  expect(third?.box.bottom).toBeCloseTo(bottom + 140)
})

test('marks: as black as readers draw them', () => {
  const part = (kind: string, entries = {}) =>
    tracesByReaders(document, markOf(kind, { ...places(words(100, 20)), ...entries }))[0]?.part
  expect(part('Highlight')).toBe(1)
  expect(part('Highlight', { C: array([1]) })).toBe(0)
  expect(part('Underline', YELLOW)).toBe(0.5)
})

test('marks: readers draw nothing of other kinds, and no end of places', () => {
  const many = places(...Array.from({ length: 500 }, () => words(100, 20)))
  expect(tracesByReaders(document, markOf('Highlight', many))).toHaveLength(200)
  for (const kind of ['Text', 'constructor', 'toString'])
    expect(tracesByReaders(document, markOf(kind, many))).toEqual([])
  const oneIsNone = [...words(100, 20).slice(1), name('x')]
  for (const QuadPoints of [array([1, 2, 3]), array(oneIsNone)])
    expect(tracesByReaders(document, markOf('Highlight', { QuadPoints }))).toEqual([])
})

test.each<[string, string, Record<string, PdfObject>, boolean]>([
  ['a line below words', 'Underline', places(words(100, 48)), true],
  ['a line below words that are too high', 'Underline', places(words(100, 49)), false],
  ['a highlight of high words', 'Highlight', { ...YELLOW, ...places(words(100, 90)) }, true],
  ['a dark highlight', 'Highlight', { C: array([0.4]), ...places(words(100, 20)) }, false],
  ['one as dark as may be', 'Highlight', { C: array([0.5]), ...places(words(100, 20)) }, true],
  ['marks of two lines', 'StrikeOut', places(words(100, 20), words(130, 20)), true],
  ['marks of one line twice', 'StrikeOut', places(words(100, 20), words(100, 20)), false],
  ['a mark elsewhere than it says', 'StrikeOut', places(words(290, 20)), false],
  ['a second mark elsewhere', 'StrikeOut', places(words(100, 20), words(290, 20)), false],
  ['a mark of the height of a hair', 'StrikeOut', places(words(100, 3)), false],
  ['a mark without a place', 'StrikeOut', { Rect: null, ...places(words(100, 20)) }, false],
  ['half a mark', 'StrikeOut', { QuadPoints: array([10, 20, 30, 40]) }, false],
])('legible: %s: %s', (_, kind, entries, answer) => {
  expect(isDrawnLegibly(document, markOf(kind, entries))).toBe(answer)
})
