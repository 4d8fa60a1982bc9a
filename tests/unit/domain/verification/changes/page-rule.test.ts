import { expect, test } from 'vitest'
import { array, dictionary, name, reference } from '#server/domain/pdf/object.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, factsOf, levelOf, signed } from './signed-files.ts'

/** Two pages, whose annotations are lists of their own: 30 and 31. */
const base = (catalog = '', list = '[33 0 R]') => {
  const plain = bodiesWithPages(2, catalog)
  return signed(
    pdfWithTable({
      ...plain,
      10: plain[10]!.replace('/Contents', '/Annots 30 0 R/Contents'),
      12: plain[12]!.replace('/Contents', '/Annots 31 0 R/Contents'),
      30: '[]',
      31: list,
      33: '<</Subtype/Link/Rect[0 0 9 9]>>',
    }),
  )
}
const noted = (file: Uint8Array, kind = 'Text') =>
  changed(file, (update) => {
    const note = update.add(dictionary({ Subtype: name(kind), Rect: array([10, 10, 30, 30]) }))
    update.set(reference(31), array([reference(33), note]))
  })

test('annotations of a page: a list of their own gains the widget of a later signature, and notes', () => {
  expect(levelOf(signed(base()))).toBe('FORM_FILLING')
  expect(factsOf(noted(base()))).toEqual([['note-added', { page: 2 }]])
  expect(levelOf(noted(base()))).toBe('ANNOTATIONS')
  expect(factsOf(noted(base(), 'Stamp'))).toEqual([['annotation-added', { page: 2 }]])
})

test('annotations of a page: their list loses none', () => {
  const file = changed(base(), (update) => update.set(reference(31), array([])))
  expect(factsOf(file)).toEqual([['annotations-removed-or-reordered', { page: 2 }]])
})

test('annotations of a page: their list is judged as what else it is, too', () => {
  expect(levelOf(noted(base('/Own 31 0 R')))).toBe('OTHER')
})

test('page: what it loses is said as what changes', () => {
  const file = changed(base(), (update) => edit(update, 12, { Contents: undefined }))
  expect(factsOf(file)).toEqual([['page-content-replaced', { page: 2 }]])
})

test('page: one that is written in the tree is judged as a part of it', () => {
  const plain = bodiesWithPages(2)
  const file = signed(
    pdfWithTable({ ...plain, 2: `<</Type/Pages/Count 2/Kids[10 0 R ${plain[12]}]>>` }),
  )
  expect(levelOf(signed(file))).toBe('FORM_FILLING')
  const turned = changed(file, (update) =>
    edit(update, 2, { Kids: array([reference(10), dictionary({ Type: name('Page') })]) }),
  )
  expect(levelOf(turned)).toBe('OTHER')
})
