import { expect, test } from 'vitest'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { isPlainlyCoded } from '#server/domain/verification/looks/content-coding.ts'

const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument

const isPlain = (entries: Record<string, PdfObject>) =>
  isPlainlyCoded(document, {
    ...{ kind: 'stream', dictionary: dictionary(entries), data: { start: 0, end: 0 } },
    owner: { number: 1, generation: 0 },
  })

const flate = name('FlateDecode')

test.each<[string, Record<string, PdfObject>]>([
  ['nothing', {}],
  ['one filter', { Filter: flate }],
  ['a list of filters', { Filter: array([name('ASCII85Decode'), name('LZWDecode')]) }],
  ['an empty list', { Filter: array([]) }],
  ['parameters that are none', { Filter: array([flate]), DecodeParms: array([null]) }],
])('content is plainly coded with %s', (_, entries) => {
  expect(isPlain(entries)).toBe(true)
})

test.each<[string, Record<string, PdfObject>]>([
  ['a short name', { Filter: name('Fl') }],
  ['a filter for pictures', { Filter: array([flate, name('DCTDecode')]) }],
  ['a filter that is no name', { Filter: array([flate, null]) }],
  ['parameters', { Filter: flate, DecodeParms: dictionary({}) }],
  [
    'parameters of one of its filters',
    { Filter: array([flate, flate]), DecodeParms: array([null, dictionary({})]) },
  ],
  ['data in another file', { F: name('a') }],
  ['a filter of the other file', { FFilter: flate }],
  ['the old name of parameters', { Filter: flate, DP: dictionary({}) }],
])('content is not plainly coded with %s', (_, entries) => {
  expect(isPlain(entries)).toBe(false)
})
