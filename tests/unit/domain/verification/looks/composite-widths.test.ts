import { describe, expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { compositeWidths } from '#server/domain/verification/looks/composite-widths.ts'

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument

function widthsOf(items: PdfObject[], entries: Record<string, PdfObject> = {}) {
  const inner = dictionary({ W: array(items), ...entries })
  const font = { Encoding: name('Identity-H'), DescendantFonts: array([inner]) }
  return compositeWidths(document, new Map(Object.entries(font)))
}
const LARGEST = 0xffff

describe('widths of a composite font', () => {
  test('are those of single codes, of ranges of codes, and the default one', () => {
    const items = [10, 12, 500, 20, array([300, 400]), 30, 30, 600, LARGEST, array([700])]
    const codes = [9, 10, 11, 12, 13, 20, 21, 22, 30, 31, LARGEST]
    expect(codes.map(widthsOf(items))).toEqual([
      ...[1000, 500, 500, 500, 1000, 300, 400, 1000, 600, 1000, 700],
    ])
    expect(codes.map(widthsOf(items, { DW: 556 }))).toContain(556)
  })

  test.each<[string, PdfObject[]]>([
    ['a range that ends behind the last code', [10, LARGEST + 1, 500]],
    ['a range that ends before the first code', [10, -1, 500]],
    ['a range that ends nowhere', [10, name('a'), 500]],
    ['a range that begins behind the last code', [LARGEST + 1, LARGEST + 2, 500]],
    ['a code that is none', [0.5, array([500])]],
    ['ranges that are too many', [0, LARGEST, 500, 0, LARGEST, 500, 0, 0, 500]],
    ['codes that are too many', [0, LARGEST, 1, 0, LARGEST - 1, 1, 0, array([1, 1])]],
  ])('are unknown with %s', (_, items) => {
    expect(widthsOf(items)(10)).toBeUndefined()
  })

  test('may be stated twice for each code', () => {
    expect(widthsOf([0, LARGEST, 500, 0, LARGEST, 600])(10)).toBe(600)
    expect(widthsOf([0, LARGEST, 1, 0, LARGEST - 1, 1, 0, array([2])])(0)).toBe(2)
  })
})
