import { expect, test } from 'vitest'
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
