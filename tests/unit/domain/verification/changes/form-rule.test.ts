import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  array,
  dictionary,
  entriesOf,
  isArray,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { isOnlyExtended } from '#server/domain/verification/changes/form-resources.ts'
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

test.each([
  ['what is drawn by a name of its own', '/Own<</A 3 0 R>>', 'OTHER'],
  ['its fonts', '/Font<</F1 3 0 R>>', 'OTHER'],
  ['its encodings', '/Encoding<</E<<>>>>', 'OTHER'],
  ['a set of procedures', '/ProcSet[/PDF]', 'NONE'],
])('resources of a form: lose %s', (_, entries, level) => {
  const file = changed(
    base('/AcroForm 8 0 R', { 8: `<</Fields[]/DR<<${entries}/ColorSpace<<>>>>>>` }),
    (update) => edit(update, 8, { DR: dictionary({ ColorSpace: dictionary({}) }) }),
  )
  expect(levelOf(file)).toBe(level)
})

test('resources of a form: a look that is damaged may draw with what they gain; a mistake of ours is none', () => {
  const look: PdfObject = {
    ...{ kind: 'stream', dictionary: dictionary({ BBox: array([]) }), data: { start: 0, end: 1 } },
    owner: { number: 6, generation: 0 },
  }
  const isExtended = (error: Error) => {
    const document = {
      object: () => ({ value: look }),
      resolve: (value?: PdfObject) => value ?? null,
      decoded() {
        throw error
      },
    } as unknown as PdfDocument
    const comparison = {
      ...{ before: document, after: document, isSame: () => false },
      reachBefore: { roles: new Map([[6, new Set(['N'])]]) },
    } as unknown as Comparison
    const now = dictionary({ XObject: dictionary({ Im: reference(3) }) })
    return isOnlyExtended(comparison, dictionary({}), now)
  }
  expect(isExtended(new PdfError('damaged', 'cut off'))).toBe(false)
  expect(() => isExtended(new RangeError('ours'))).toThrow(RangeError)
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
