import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { reachOf } from '#server/domain/verification/changes/reach.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

const documentWith = (entries: string) =>
  readDocument(
    memorySource(pdfWithTable({ ...bodiesWithPages(1, entries), 20: '[21 0 R]', 21: '(nada)' })),
  )
const keys = (count: number) => Array.from({ length: count }, (_, at) => `K${at}`)
const rolesWith = (count: number) => {
  const entries = keys(count).map((key) => `/${key} 21 0 R`)
  return reachOf(documentWith(entries.join(''))).roles.get(21)
}

test('reach: an object has the keys under which it is referred to', () => {
  expect(rolesWith(2)).toEqual(new Set(['K0', 'K1']))
  expect(rolesWith(16)).toEqual(new Set(keys(16)))
})

test('reach: an object that has too many roles has one that no rule knows', () => {
  expect(rolesWith(17)).toEqual(new Set(['too many']))
})

test('reach: each object is visited once, also a list with two roles', () => {
  const visited: number[] = []
  const { roles } = reachOf(
    documentWith('/A 20 0 R/B 20 0 R/C 21 0 R'),
    () => true,
    (number) => visited.push(number),
  )
  expect(visited).toHaveLength(new Set(visited).size)
  expect(visited).toEqual(expect.arrayContaining([1, 2, 10, 20, 21]))
  // What a list holds is referred to as the list is.
  expect(roles.get(21)).toEqual(new Set(['A', 'B', 'C']))
})
