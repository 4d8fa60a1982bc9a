import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { linksOf } from '#server/domain/verification/changes/links.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

/** The links of object 20, as its ways and targets. */
function linksIn(body: string): [way: string, key: string, target: number][] {
  const document = readDocument(memorySource(pdfWithTable({ ...bodiesWithPages(1), 20: body })))
  const found: [string, string, number][] = []
  linksOf(document).inObject(20, (target, { way, key }) => found.push([way, key, target]))
  return found
}

const entries = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `/K${at}${value}`).join('')

test('links: each with the keys that lead to it', () => {
  expect(linksIn('<</A 1 0 R/B[2 0 R<</C 3 0 R>>]/D<</E<</F 4 0 R>>>>>>')).toEqual([
    ['A', 'A', 1],
    ['B', 'B', 2],
    ['B/C', 'C', 3],
    ['D/E/F', 'F', 4],
  ])
})

test('links: deeper than three keys, only the last key counts', () => {
  expect(linksIn('<</A<</B<</C<</D<</E 1 0 R>>/F 2 0 R>>>>>>>>')).toEqual([
    ['…/…', 'E', 1],
    ['…/…', 'F', 2],
  ])
})

test('links: any number of keys is read if they lead nowhere', () => {
  expect(linksIn(`<<${entries(150_000, '<</Empty 0>>')}/A 1 0 R>>`)).toEqual([['A', 'A', 1]])
})

test('links: an object with too many ways to others is refused', () => {
  expect(() => linksIn(`<<${entries(150_000, ' 1 0 R')}>>`)).toThrow(
    expect.objectContaining({ code: 'too-complex' }),
  )
})

test('links: of a long list all are kept, however many they are', () => {
  const many = Array.from({ length: 5000 }, (_, at) => at + 1)
  const found = linksIn(`[${many.map((number) => `${number} 0 R`).join(' ')}]`)
  expect(found.map(([, , target]) => target)).toEqual(many)
})

test('links: one way is counted once, however many objects are linked by it', () => {
  expect(linksIn(`[${'<</A 1 0 R>>'.repeat(150_000)}]`)).toHaveLength(150_000)
})

test('links: deeper than three keys, the ways are counted by their last key', () => {
  const deep = entries(150_000, '<</L 1 0 R>>')
  expect(linksIn(`<</A<</B<</C<<${deep}>>>>>>>>`)).toHaveLength(150_000)
})

test('links: an object is read once, and is a list or none', () => {
  const document = readDocument(
    memorySource(pdfWithTable({ ...bodiesWithPages(1), 20: '[1 0 R]', 21: '<</A 1 0 R>>' })),
  )
  const links = linksOf(document)
  const object = vi.spyOn(document, 'object')
  const ask = () => [20, 21].map((number) => links.isArray(number))
  expect([ask(), ask()]).toEqual([
    [true, false],
    [true, false],
  ])
  expect(object).toHaveBeenCalledTimes(2)
})
