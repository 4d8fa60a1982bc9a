import { expect, test } from 'vitest'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  name,
  type PdfObject,
  reference,
  withEntries,
} from '#server/domain/pdf/object.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, factsOf, levelOf, newStream, signed } from './signed-files.ts'

const tagged = (): Bodies => ({
  ...bodiesWithPages(1, '/StructTreeRoot 5 0 R'),
  5: '<</Type/StructTreeRoot/K[6 0 R]/ParentTree 7 0 R/ParentTreeNextKey 1>>',
  6: '<</S/Document/P 5 0 R/K[8 0 R]>>',
  7: '<</Nums[0 9 0 R]>>',
  8: '<</S/P/P 6 0 R/Pg 10 0 R/K 0/ActualText(mil pesos)>>',
  9: '[8 0 R]',
})

/** Signs twice; the second revision also writes what `describe` says about its widget, in one new object. */
function signedTwice(
  describe: (update: IncrementalUpdate, widget: PdfObject) => void,
  bodies = tagged(),
) {
  return signed(signed(pdfWithTable(bodies)), {}, (update) => {
    // Numbers are given in their order: this one, the new object, the signature, its field.
    const own = update.allocate().number
    describe(update, reference(own + 3))
  })
}

const element = (widget: PdfObject, more: Record<string, PdfObject> = {}) =>
  dictionary({
    S: name('Form'),
    P: reference(6),
    K: dictionary({ Type: name('OBJR'), Obj: widget }),
    ...more,
  })

test('the widget of a new signature may join the structure', () => {
  const file = signedTwice((update, widget) => {
    const added = update.add(element(widget))
    edit(update, 6, { K: array([reference(8), added]) })
    edit(update, 5, { ParentTreeNextKey: 2 })
    edit(update, 7, { Nums: array([0, reference(9), 1, added]) })
  })
  expect(levelOf(file)).toBe('FORM_FILLING')
})

test('an element may say on which page its widget is, its name and its language', () => {
  const file = signedTwice((update, widget) => {
    const [ID, Lang] = ['uno', 'es-MX'].map((word) => byteString(bytesOf(word))) as [
      PdfObject,
      PdfObject,
    ]
    const more = { Type: name('StructElem'), Pg: reference(10), ID, Lang }
    const added = update.add(element(widget, more))
    edit(update, 6, { K: array([reference(8), added]) })
  })
  expect(levelOf(file)).toBe('FORM_FILLING')
})

test('a document without a structure may not get one', () => {
  const plain = signed(pdfWithTable(bodiesWithPages(1)))
  const file = changed(plain, (update) =>
    update.setCatalog(
      withEntries(update.catalog(), { StructTreeRoot: update.add(dictionary({})) }),
    ),
  )
  expect(factsOf(file)).toEqual([['structure-changed', {}]])
})

test('a document keeps its structure', () => {
  const file = changed(signed(pdfWithTable(tagged())), (update) => {
    const StructTreeRoot = update.add(dictionary({ Type: name('StructTreeRoot') }))
    update.setCatalog(withEntries(update.catalog(), { StructTreeRoot }))
  })
  expect(factsOf(file)).toEqual([['structure-changed', {}]])
})

test('a widget may join an element that has only one other below it, or none', () => {
  const joined = (kids: string, ...old: PdfObject[]) => {
    const bodies = { ...tagged(), 6: `<</S/Document/P 5 0 R${kids}>>` }
    return signedTwice((update, widget) => {
      edit(update, 6, { K: array([...old, update.add(element(widget))]) })
    }, bodies)
  }
  expect(levelOf(joined('/K 8 0 R', reference(8)))).toBe('FORM_FILLING')
  expect(levelOf(joined(''))).toBe('FORM_FILLING')
  expect(levelOf(joined('/K 8 0 R'))).toBe('OTHER')
})

test('an element to which only a bookmark leads is no structure of a document without one', () => {
  const base = signed(
    pdfWithTable({
      ...bodiesWithPages(1, '/Outlines 20 0 R'),
      8: '<</S/P/K 0>>',
      20: '<</Type/Outlines/First 21 0 R/Last 21 0 R/Count 1>>',
      21: '<</Title(Uno)/Parent 20 0 R/SE 8 0 R/Dest[10 0 R/Fit]>>',
    }),
  )
  const file = changed(base, (update) => edit(update, 8, { ParentTreeNextKey: 2 }))
  expect(levelOf(file)).toBe('OTHER')
})

test.each([
  ['what a bookmark does', '/A 23 0 R', ''],
  ['an element of something else than a bookmark', '', '/Own<</SE 23 0 R>>'],
])('%s is no structure', (_, bookmark, catalog) => {
  const base = signed(
    pdfWithTable({
      ...tagged(),
      ...bodiesWithPages(1, `/StructTreeRoot 5 0 R/Outlines 20 0 R${catalog}`),
      20: '<</Type/Outlines/First 21 0 R/Last 21 0 R/Count 1>>',
      21: `<</Title(Uno)/Parent 20 0 R${bookmark}>>`,
      23: '<</S/GoTo/D[10 0 R/Fit]>>',
    }),
  )
  const file = changed(base, (update) => edit(update, 23, { ParentTreeNextKey: 2 }))
  expect(levelOf(file)).toBe('OTHER')
})

test('the content of a tagged page, its title and its outline may not change', () => {
  const base = signed(
    pdfWithTable({
      ...tagged(),
      ...bodiesWithPages(1, '/StructTreeRoot 5 0 R/Outlines 20 0 R/Own 21 0 R'),
      20: '<</Type/Outlines/Count 0>>',
      21: '<</StructTreeRoot 22 0 R>>',
      22: '(nada)',
    }),
  )
  const text = byteString(bytesOf('otra'))
  const levels = [
    (update: IncrementalUpdate) => update.set(reference(11), newStream('BT (9) Tj ET')),
    (update: IncrementalUpdate) => edit(update, 20, { Title: text }),
    (update: IncrementalUpdate) => update.set(reference(22), text),
  ].map((change) => levelOf(changed(base, change)))
  expect(levels).toEqual(['OTHER', 'OTHER', 'OTHER'])
})

test.each([
  ['nothing else uses', '', 'FORM_FILLING'],
  ['the catalog uses for something else', '/Own 7 0 R', 'OTHER'],
  ['a page uses for something else', '', 'OTHER', '/Own 7 0 R'],
])('a tree of parents may grow if it is one that %s', (_, catalog, level, page = '') => {
  const plain = bodiesWithPages(1, `/StructTreeRoot 5 0 R${catalog}`)
  const bodies = { ...tagged(), ...plain, 10: plain[10]!.replace('/Contents', `${page}/Contents`) }
  const file = signedTwice((update, widget) => {
    const added = update.add(element(widget))
    edit(update, 6, { K: array([reference(8), added]) })
    edit(update, 7, { Nums: array([0, reference(9), 1, added]) })
  }, bodies)
  expect(levelOf(file)).toBe(level)
})

test.each([
  ['may have a tree of parents that grows', '', 'FORM_FILLING'],
  ['may not have one that is something else, too', '/IDTree 7 0 R', 'OTHER'],
])('a structure that is written in the catalog %s', (_, more, level) => {
  const root = `/StructTreeRoot<</Type/StructTreeRoot/K[6 0 R]/ParentTree 7 0 R${more}>>`
  const file = signedTwice(
    (update, widget) => {
      const added = update.add(element(widget))
      edit(update, 6, { K: array([reference(8), added]) })
      edit(update, 7, { Nums: array([0, reference(9), 1, added]) })
    },
    { ...tagged(), ...bodiesWithPages(1, root), 5: '<<>>' },
  )
  expect(levelOf(file)).toBe(level)
})

test('a structure to which bookmarks lead may be joined by the widget of a new signature', () => {
  const bodies = {
    ...tagged(),
    ...bodiesWithPages(1, '/StructTreeRoot 5 0 R/Outlines 20 0 R'),
    20: '<</Type/Outlines/First 21 0 R/Last 22 0 R/Count 2>>',
    21: '<</Title(Uno)/Parent 20 0 R/Next 22 0 R/SE 8 0 R/Dest[10 0 R/Fit]>>',
    22: '<</Title(Dos)/Parent 20 0 R/Prev 21 0 R/SE 6 0 R/Dest[10 0 R/Fit]>>',
  }
  const file = signedTwice((update, widget) => {
    const added = update.add(element(widget))
    edit(update, 6, { K: array([reference(8), added]) })
  }, bodies)
  expect(levelOf(file)).toBe('FORM_FILLING')
})

test('an element with a text of its own may not join the structure', () => {
  const file = signedTwice((update, widget) => {
    const added = update.add(element(widget, { ActualText: byteString(bytesOf('dos mil pesos')) }))
    edit(update, 6, { K: array([reference(8), added]) })
  })
  expect(levelOf(file)).toBe('OTHER')
})

test.each([
  [
    'the text of an element',
    (update: IncrementalUpdate) =>
      edit(update, 8, { ActualText: byteString(bytesOf('dos mil pesos')) }),
  ],
  ['the order of elements', (update: IncrementalUpdate) => edit(update, 6, { K: array([]) })],
  [
    'what the content belongs to',
    (update: IncrementalUpdate) => edit(update, 7, { Nums: array([0, update.add(array([]))]) }),
  ],
])('%s may not change', (_, change) => {
  expect(levelOf(changed(signed(pdfWithTable(tagged())), change))).toBe('OTHER')
})
