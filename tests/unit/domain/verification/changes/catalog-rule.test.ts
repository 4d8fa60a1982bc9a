import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  dictionary,
  type PdfObject,
  reference,
  withEntries,
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
const STORED: Bodies = { 40: '<</Certs[41 0 R]>>', 41: streamBody('DER') }
const signatureOf = (file: Uint8Array) =>
  formFields(readDocument(memorySource(file)))[0]!.value ?? null
const withStore = (file: Uint8Array, store: PdfObject) =>
  changed(file, (update) => update.setCatalog(withEntries(update.catalog(), { DSS: store })))

test('validation data: what is stored already may grow', () => {
  const file = changed(base('/DSS 40 0 R', STORED), (update) => {
    const certificate = update.add(newStream('DER 2'))
    edit(update, 40, { Certs: array([reference(41), certificate]) })
  })
  expect(changesIn(file)).toMatchObject([
    { level: 'LTA_UPDATES', code: 'validation-data-added', object: '40 0' },
  ])
})

test('validation data: is said of the catalog where it is written in it', () => {
  const store = dictionary({ Certs: array([]) })
  expect(changesIn(withStore(base(''), store))).toMatchObject([
    { level: 'LTA_UPDATES', code: 'validation-data-added', object: '1 0' },
  ])
  expect(changesIn(withStore(base('/DSS 40 0 R', STORED), null))).toMatchObject([
    { level: 'LTA_UPDATES', code: 'validation-data-removed', object: '1 0' },
  ])
})

test('validation data: is judged as what else it is, too', () => {
  const file = changed(base('/DSS 40 0 R/Own 40 0 R', STORED), (update) =>
    edit(update, 40, { Certs: array([]) }),
  )
  expect(levelOf(file)).toBe('OTHER')
})

describe('permissions: what a later certification adds', () => {
  /** The first signature, then a second one, which its own revision certifies. */
  const certified = (permissions: (update: IncrementalUpdate) => PdfObject, catalog = '') =>
    signed(base(catalog), {}, (update) =>
      update.setCatalog(withEntries(update.catalog(), { Perms: permissions(update) })),
    )
  /** `addSignatureField` adds the signature next, after a dictionary that is an object of its own. */
  const next = (update: IncrementalUpdate, after = 1) =>
    reference(update.add(dictionary({})).number + after)

  test('is no change of its own: it only restricts what comes later', () => {
    const file = certified((update) => dictionary({ DocMDP: next(update) }))
    expect(changesIn(file)).toMatchObject([{ level: 'FORM_FILLING', code: 'signature-added' }])
  })

  test.each<[string, (update: IncrementalUpdate) => PdfObject, string?]>([
    ['the signature that was there', () => dictionary({ DocMDP: signatureOf(base('')) })],
    ['what is no signature', (update) => dictionary({ DocMDP: next(update, 0) })],
    ['nothing', () => dictionary({})],
    ['rights of use', (update) => dictionary({ DocMDP: next(update), UR3: next(update, 0) })],
    ['no dictionary', () => array([])],
    ['another one than before', (update) => dictionary({ DocMDP: next(update) }), '/Perms<<>>'],
  ])('is a change for %s', (_, permissions, catalog) => {
    expect(levelOf(certified(permissions, catalog))).toBe('OTHER')
  })
})
