import { expect, test } from 'vitest'
import {
  array,
  byteString,
  dictionary,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import { bodiesWithPages, bytesOf, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, factsOf, levelOf, signed } from './signed-files.ts'

const base = (catalog = '', pages = '') => signed(pdfWithTable(bodiesWithPages(2, catalog, pages)))
const edited = (file: Uint8Array, entries: Record<string, PdfObject | undefined>) =>
  levelOf(changed(file, (update) => edit(update, 2, entries)))

test('page tree: a program may leave a note of its own in a node', () => {
  expect(edited(base(), { ITXT: byteString(bytesOf('8.0')) })).toBe('NONE')
  expect(edited(base('', '/ITXT(7.0)'), { ITXT: name('Nueve') })).toBe('NONE')
  expect(edited(base('', '/ITXT(7.0)'), { ITXT: undefined })).toBe('NONE')
})

test.each<[string, Record<string, PdfObject>]>([
  ['what readers look for', { Rotate: 90 }],
  ['something that leads elsewhere', { ITXT: dictionary({}) }],
  ['a list', { ITXT: array([]) }],
])('page tree: a node may not gain %s', (_, entries) => {
  expect(edited(base(), entries)).toBe('OTHER')
})

test('page tree: a node is judged as what else it is, too', () => {
  expect(edited(base('/Own 2 0 R'), { ITXT: 8 })).toBe('OTHER')
})

test('page tree: pages in another order are said', () => {
  const file = changed(base(), (update) =>
    edit(update, 2, { Kids: array([reference(12), reference(10)]) }),
  )
  expect(factsOf(file)).toEqual([['pages-reordered', {}]])
})
