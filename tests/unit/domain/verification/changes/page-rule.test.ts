import { describe, expect, test } from 'vitest'
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

describe('page: what it inherits', () => {
  const PLAIN = bodiesWithPages(2)
  const MEDIA_BOX = array([0, 0, 300, 300])
  const FONTS = dictionary({ Font: dictionary({ F1: reference(3) }) })
  /** Two pages that take their size and resources from the page tree. */
  const inheriting = (parent = '2 0 R') =>
    signed(
      pdfWithTable({
        ...PLAIN,
        2: `<</Type/Pages/Count 2/Kids[10 0 R 12 0 R]/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Rotate 90>>`,
        5: '<</Type/Pages/Count 0/Kids[]/MediaBox[0 0 300 200]/Resources<</Font<</F1 3 0 R>>>>/Rotate 90>>',
        12: `<</Type/Page/Parent ${parent}/Contents 13 0 R>>`,
      }),
    )
  const written = (file: Uint8Array, entries: Parameters<typeof edit>[2]) =>
    changed(file, (update) => edit(update, 12, entries))

  test('may be written into the page, as iText does when it signs on it', () => {
    const file = written(inheriting(), { MediaBox: MEDIA_BOX, Resources: FONTS, Rotate: 90 })
    expect(factsOf(file)).toEqual([])
  })

  test.each([
    ['another size', { MediaBox: array([0, 0, 300, 200]) }],
    ['other resources', { Resources: dictionary({}) }],
    ['another turn', { Rotate: 0 }],
    ['a part that was not cut off', { CropBox: MEDIA_BOX }],
    ['what is not inherited', { Group: MEDIA_BOX }],
  ])('is not %s', (_, entries) => {
    expect(levelOf(written(inheriting(), entries))).toBe('OTHER')
  })

  test('is another value where the page names another parent than the tree: readers differ', () => {
    const file = written(inheriting('5 0 R'), { MediaBox: MEDIA_BOX })
    expect(levelOf(file)).toBe('OTHER')
    expect(levelOf(written(inheriting('5 0 R'), { Rotate: 90 }))).toBe('NONE')
  })

  test('stays written in the page once it was signed so', () => {
    const file = changed(base(), (update) => edit(update, 12, { MediaBox: undefined }))
    expect(levelOf(file)).toBe('OTHER')
  })
})
