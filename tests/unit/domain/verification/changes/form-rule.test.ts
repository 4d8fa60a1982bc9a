import { expect, test } from 'vitest'
import {
  array,
  dictionary,
  entriesOf,
  isArray,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, levelOf, newStream, signed } from './signed-files.ts'

const base = (catalog: string, bodies: Bodies = {}) =>
  signed(pdfWithTable({ ...bodiesWithPages(1, catalog), ...bodies }))

test.each<[string, string, Bodies]>([
  ['an object', '/AcroForm 8 0 R', { 8: '<</Fields[]>>' }],
  ['an object with a list that is one', '/AcroForm 8 0 R', { 8: '<</Fields 9 0 R>>', 9: '[]' }],
  ['written in the catalog', '/AcroForm<</Fields[]>>', {}],
  [
    'written in the catalog with a list that is an object',
    '/AcroForm<</Fields 9 0 R>>',
    { 9: '[]' },
  ],
])('form: gains a signature where it is %s', (_, catalog, bodies) => {
  expect(levelOf(signed(base(catalog, bodies)))).toBe('FORM_FILLING')
})

test('form: its list of fields is judged as what else it is, too', () => {
  const shared = base('/AcroForm<</Fields 9 0 R>>/Own 9 0 R', { 9: '[]' })
  expect(levelOf(signed(shared))).toBe('OTHER')
})

/** A field that waits for a signature, with this look. */
const waiting = (
  rectangle: readonly number[],
  look: string,
  entries: Record<string, PdfObject> = {},
) =>
  changed(base('/AcroForm 8 0 R', { 8: '<</Fields[]>>' }), (update) => {
    const form = { Type: name('XObject'), Subtype: name('Form'), BBox: array([0, 0, 9, 9]) }
    const field = update.add(
      dictionary({
        ...{ FT: name('Sig'), Subtype: name('Widget'), Rect: array([...rectangle]), F: 4 },
        ...{ P: reference(10), AP: dictionary({ N: update.add(newStream(look, form)) }) },
        ...entries,
      }),
    )
    edit(update, 8, { Fields: array([reference(21), field]) })
    edit(update, 10, { Annots: array([reference(21), field]) })
  })

test.each([
  ['that shows nothing', [200, 200, 290, 209], '', 'FORM_FILLING', undefined],
  ['without a place', [0, 0, 0, 0], 'q Q', 'FORM_FILLING', undefined],
  [
    'that shows something',
    [200, 200, 290, 209],
    '0 g 0 0 9 9 re f',
    'OTHER',
    'overlay-by-annotation',
  ],
])('form: a field %s waits for a signature', (_, rectangle, look, level, attack) => {
  const file = waiting(rectangle, look)
  const change = changesIn(file).find(({ code }) => code === 'empty-signature-field-added')
  expect([change?.level, change?.attack]).toEqual([level, attack])
})

test.each([
  ['a graphics state', 'ExtGState', 'OWN', 'NONE'],
  ['a picture', 'XObject', 'OWN', 'NONE'],
  ['a picture that a signed look draws', 'XObject', 'Used', 'OTHER'],
  ['a set of procedures', 'ProcSet', 'OWN', 'NONE'],
  ['anything else', 'Own', 'OWN', 'OTHER'],
])('resources of a form: gain %s', (_, kind, added, level) => {
  const file = changed(
    base('/AcroForm 8 0 R', {
      8: '<</Fields[5 0 R]/DR<</Font<</F1 3 0 R>>>>>>',
      5: '<</FT/Tx/T(Precio)/Subtype/Widget/Rect[0 0 9 9]/AP<</N 7 0 R>>>>',
      7: streamBody('/Used Do', '/Subtype/Form/BBox[0 0 9 9]'),
    }),
    (update) =>
      edit(update, 8, {
        DR: dictionary({
          Font: dictionary({ F1: reference(3) }),
          [kind]: dictionary({ [added]: update.add(dictionary({})) }),
        }),
      }),
  )
  expect(levelOf(file)).toBe(level)
})

test('form: a new field may not take what the signed page showed for its widget', () => {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const file = changed(
    base('/AcroForm 8 0 R', {
      8: '<</Fields[]>>',
      10: plain[10]!.replace('/Contents', '/Annots[33 0 R]/Contents'),
      33: '<</Subtype/Widget/Rect[0 0 0 0]/P 10 0 R>>',
    }),
    (update) => {
      const field = update.add(dictionary({ FT: name('Sig'), Kids: array([reference(33)]) }))
      const fields = entriesOf(update.resolve(reference(8))).get('Fields')
      if (!isArray(fields)) throw new TypeError('no list of fields')
      edit(update, 8, { Fields: array([...fields.items, field]) })
    },
  )
  expect(changesIn(file)).toMatchObject([{ level: 'OTHER', code: 'field-added' }])
})
