import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  dictionary,
  name,
  type PdfObject,
  type PdfRef,
  reference,
  withEntries,
} from '#server/domain/pdf/object.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import {
  hasArea,
  isHidden,
  isVisible,
  kindOf,
  newSignatureField,
} from '#server/domain/verification/changes/signature-field-rule.ts'
import { bodiesWithPages, bytesOf, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { changed, edit, factsOf, signed } from './signed-files.ts'

/** A file with these objects, of which the ones with the numbers in `before` were there when it was signed. */
function aComparison(objects: Record<number, PdfObject>, before: readonly number[] = []) {
  const resolve = (value?: PdfObject): PdfObject =>
    typeof value === 'object' && value?.kind === 'ref'
      ? (objects[value.number] ?? null)
      : (value ?? null)
  return {
    after: { resolve } as PdfDocument,
    reachBefore: { roles: new Map(before.map((number) => [number, new Set()])) },
    pageNumber: (number: number) => (number === 30 ? 2 : undefined),
  } as unknown as Comparison
}

const text = (value: string): PdfObject => ({
  ...{ kind: 'string', bytes: bytesOf(value), form: 'literal' },
})
const value = { ByteRange: array([]), Contents: text('x'), SubFilter: name('adbe.pkcs7.detached') }

test.each([
  [0, false],
  [4, false],
  [256, false],
  [2, true],
  [6, true],
  [32, true],
  [34, true],
  [32 + 4, false],
  [32 + 256, false],
  [32 + 4 + 2, true],
])('widget with the flags %i: hidden on screen and paper %s', (flags, hidden) => {
  const { after } = aComparison({})
  expect(isHidden(after, new Map([['F', flags]]))).toBe(hidden)
})

test('widget without flags is not hidden', () => {
  const { after } = aComparison({})
  expect(isHidden(after, new Map())).toBe(false)
  expect(isHidden(after, new Map([['F', name('Hidden')]]))).toBe(false)
})

test.each<[PdfObject, boolean]>([
  [array([0, 0, 9, 9]), true],
  [array([9, 9, 0, 0]), true],
  [array([0, 0, 0, 9]), false],
  [array([0, 0, 9, 0]), false],
  [array([reference(1), 0, 4, 9]), false],
  [null, false],
  [name('Rect'), false],
])('widget with the rectangle %j: has an area %s', (rectangle, has) => {
  const { after } = aComparison({ 1: 4 })
  expect(hasArea(after, dictionary({ Rect: rectangle }))).toBe(has)
})

test.each<[string, Record<string, PdfObject>, boolean]>([
  ['without a look', {}, false],
  ['with an empty look', { AP: dictionary({ N: reference(2) }) }, false],
  ['with a look', { AP: dictionary({ N: reference(3) }) }, true],
  ['with looks of several states', { AP: dictionary({ N: dictionary({}) }) }, true],
  ['with a background', { MK: dictionary({ BG: array([1]) }) }, true],
  ['with a look, and hidden', { AP: dictionary({ N: reference(3) }), F: 2 }, false],
])('widget %s: %o: is visible: %s', (_, entries, visible) => {
  const look = (end: number): PdfObject => ({
    ...{ kind: 'stream', dictionary: dictionary({}), data: { start: 10, end } },
    owner: { number: 2, generation: 0 },
  })
  const { after } = aComparison({ 2: look(10), 3: look(11) })
  expect(isVisible(after, dictionary({ Rect: array([0, 0, 9, 9]), ...entries }))).toBe(visible)
})

test.each<[string, (update: IncrementalUpdate, widget: PdfRef, own: PdfRef) => void, string]>([
  ['only in the list of its page', () => {}, 'unlisted-signature-added'],
  [
    'only in a list of its page that is an object',
    (update, widget, own) => edit(update, 10, { Annots: update.add(array([own, widget])) }),
    'unlisted-signature-added',
  ],
  [
    'also in another entry of its page',
    (update, widget) => edit(update, 10, { Tabs: widget }),
    'annotation-added',
  ],
  [
    'also in a list of what is no page',
    (update, widget) => {
      const Extensions = update.add(dictionary({ Annots: array([widget]) }))
      update.setCatalog(withEntries(update.catalog(), { Extensions }))
    },
    'annotation-added',
  ],
])('a signature that the form does not list, %s', (_, change, code) => {
  const base = signed(pdfWithTable(bodiesWithPages(1, '/AcroForm<</Fields[]>>')))
  const own = signatureDictionaries(readDocument(memorySource(base)))[0]!.fields[0]!.ref!
  const file = changed(base, (update) => {
    const [contents, range] = [text('x'), array([0, 1, 2, 3])]
    const V = update.add(dictionary({ SubFilter: name('X'), ByteRange: range, Contents: contents }))
    const widget = update.add(
      dictionary({ FT: name('Sig'), Subtype: name('Widget'), Rect: array([0, 0, 0, 0]), V }),
    )
    edit(update, 10, { Annots: array([own, widget]) })
    change(update, widget, own)
  })
  expect(factsOf(file).map(([found]) => found)).toEqual([code])
})

describe('value of a new signature field', () => {
  const kind = (entries: Record<string, PdfObject>, before: readonly number[] = []) =>
    kindOf(aComparison({ 7: dictionary(value) }, before), dictionary(entries))

  test('is a signature, a timestamp of the document, or none yet', () => {
    expect(kind({})).toBe('empty')
    expect(kind({ V: reference(9) })).toBe('empty')
    expect(kind({ V: reference(7) })).toBe('signature')
    expect(kind({ V: dictionary(value) })).toBe('signature')
    const stamp = { ...value, SubFilter: name('ETSI.RFC3161') }
    expect(kind({ V: dictionary(stamp) })).toBe('document-timestamp')
  })

  test('is refused if it is something else, or was there before', () => {
    expect(kind({ V: dictionary({ ByteRange: value.ByteRange }) })).toBeUndefined()
    expect(kind({ V: dictionary({ Contents: value.Contents }) })).toBeUndefined()
    expect(kind({ V: text('a word') })).toBeUndefined()
    expect(kind({ V: reference(7) }, [7])).toBeUndefined()
  })
})

describe('new signature field', () => {
  const field = { FT: name('Sig'), T: text('Firma'), V: reference(7) }
  const widget = { Subtype: name('Widget'), P: reference(30) }
  const found = (ref: PdfObject, objects: Record<number, PdfObject>) =>
    newSignatureField(aComparison({ 7: dictionary(value), ...objects }), ref)

  test('that is its widget, with its name and page', () => {
    expect(found(reference(5), { 5: dictionary({ ...field, ...widget }) })).toEqual({
      ...{ number: 5, name: 'Firma', kind: 'signature', page: 2, widgets: [5] },
      ...{ isVisible: false, isHidden: false },
    })
    const bare = dictionary({ FT: name('Sig'), Subtype: name('Widget') })
    expect(found(reference(5), { 5: bare })).toEqual({
      ...{ number: 5, name: '', kind: 'empty', widgets: [5], isVisible: false, isHidden: false },
    })
  })

  test('with widgets of its own, hidden if all are', () => {
    const kids = { ...field, Kids: array([reference(6), 9, reference(8)]) }
    const hidden = dictionary({ ...widget, F: 2 })
    const objects = { 5: dictionary(kids), 6: hidden, 8: hidden }
    expect(found(reference(5), objects)).toMatchObject({ widgets: [6, 8], isHidden: true, page: 2 })
    const shown = { ...objects, 8: dictionary(widget) }
    expect(found(reference(5), shown)).toMatchObject({ isHidden: false })
  })

  test('is none if it, its field or one of its widgets is something else', () => {
    const whole = { ...field, ...widget }
    const kids = { ...field, Kids: array([reference(6)]) }
    expect(found(dictionary(whole), {})).toBeUndefined()
    expect(found(reference(5), {})).toBeUndefined()
    expect(found(reference(5), { 5: dictionary({ ...whole, FT: name('Tx') }) })).toBeUndefined()
    expect(found(reference(5), { 5: dictionary({ ...whole, A: dictionary({}) }) })).toBeUndefined()
    const other = dictionary({ ...widget, Subtype: name('Link') })
    expect(found(reference(5), { 5: dictionary(kids), 6: other })).toBeUndefined()
    const half = { ...field, Kids: array([reference(8), reference(6)]) }
    expect(found(reference(5), { 5: dictionary(half), 6: other, 8: dictionary(widget) })).toBe(
      undefined,
    )
    const acting = dictionary({ ...widget, AA: dictionary({}) })
    expect(found(reference(5), { 5: dictionary(kids), 6: acting })).toBeUndefined()
    const layered = dictionary({ ...kids, OC: dictionary({}) })
    expect(found(reference(5), { 5: layered, 6: dictionary(widget) })).toBeUndefined()
    const borrowed = aComparison({ 5: dictionary(whole), 7: dictionary(value) }, [7])
    expect(newSignatureField(borrowed, reference(5))).toBeUndefined()
  })
})
