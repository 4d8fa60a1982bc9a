import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, dictionary, name, type PdfObject, reference } from '#server/domain/pdf/object.ts'
import { numberTree } from '#server/domain/verification/changes/number-tree.ts'

const treeOf = (objects: Record<number, PdfObject>) => {
  const resolve = (value?: PdfObject) =>
    typeof value === 'object' && value?.kind === 'ref'
      ? (objects[value.number] ?? null)
      : (value ?? null)
  return [...numberTree({ resolve } as PdfDocument, reference(1))].toSorted(([a], [b]) => a - b)
}
const nums = (...items: PdfObject[]) => dictionary({ Nums: array(items) })

test('number tree: has the entries of all of its nodes, each looked at once', () => {
  const root = dictionary({ Kids: array([reference(2), reference(3), reference(2)]) })
  const between = dictionary({ Kids: array([reference(4), reference(1)]) })
  expect(
    treeOf({ 1: root, 2: nums(0, name('a'), 1, name('b')), 3: between, 4: nums(7, null) }),
  ).toEqual([
    [0, name('a')],
    [1, name('b')],
    [7, null],
  ])
})

test('number tree: what is no number names nothing', () => {
  expect(treeOf({ 1: nums(name('x'), 1, 2, 3, 4) })).toEqual([[2, 3]])
  expect(treeOf({ 1: dictionary({ Nums: 7, Kids: 7 }) })).toEqual([])
})
