import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithObjectStream,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'

/** Reads everything there is; any error but PdfError is a failure of ours. */
function readAll(bytes: Uint8Array): string {
  try {
    const document = readDocument(memorySource(bytes))
    for (const number of document.objectNumbers) document.object(number)
    signatureDictionaries(document)
    pagesOf(document)
    return 'read'
  } catch (error) {
    if (error instanceof PdfError) return error.code
    throw error
  }
}

test.each([
  ['nothing', ''],
  ['text', 'a letter'],
  ['a picture', '\x89PNG\r\n\x1a\n'],
  ['zeros', '\0'.repeat(5000)],
])('%s is no PDF', (_, text) => {
  expect(readAll(bytesOf(text))).toBe('not-a-pdf')
})

test('a header alone is a damaged file', () => {
  expect(readAll(bytesOf('%PDF-1.7\n'))).toBe('damaged')
})

test('a page tree that loops is found', () => {
  const bodies = { ...bodiesWithPages(1), 2: '<</Type/Pages/Kids[2 0 R 10 0 R]/Count 2>>' }
  expect(readAll(pdfWithTable(bodies))).toBe('damaged')
})

test('a page tree that doubles at every level ends', () => {
  const levels = Array.from({ length: 60 }, (_, at) => 20 + at)
  const bodies = {
    ...bodiesWithPages(1),
    2: '<</Type/Pages/Kids[20 0 R 20 0 R]/Count 1>>',
    ...Object.fromEntries(
      levels.map((at) => [at, `<</Type/Pages/Kids[${at + 1} 0 R ${at + 1} 0 R]>>`]),
    ),
  }
  expect(readAll(pdfWithTable(bodies))).toBe('damaged')
})

test('fields that are their own kids end', () => {
  const bodies = bodiesWithPages(1, '/AcroForm<</Fields[5 0 R]>>')
  expect(
    readAll(
      pdfWithTable({ ...bodies, 5: '<</T(a)/Kids[5 0 R 6 0 R]>>', 6: '<</T(b)/Kids[5 0 R]>>' }),
    ),
  ).toBe('read')
})

test('references that lead in a circle end', () => {
  const bodies = {
    ...bodiesWithPages(1),
    5: '6 0 R',
    6: '5 0 R',
    7: streamBody('x').replace(/Length \d+/, 'Length 7 0 R'),
  }
  expect(readAll(pdfWithTable(bodies))).toBe('read')
})

test('arrays nested a hundred thousand deep are refused', () => {
  const bodies = { ...bodiesWithPages(1), 5: '['.repeat(100_000) }
  expect(readAll(pdfWithTable(bodies))).toBe('too-complex')
})

function objectStreamBomb(): Uint8Array {
  const bomb = textOf(deflateSync(Buffer.alloc(100 << 20)))
  const bodies = {
    ...bodiesWithPages(1),
    40: streamBody(bomb, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode'),
  }
  const text = textOf(pdfWithObjectStream(bodies))
  // Every packed object is said to lie in the bomb.
  return bytesOf(text.replaceAll('\x02\x00\x00\x29', '\x02\x00\x00\x28'))
}

test('an object stream that expands without end is refused', () => {
  expect(readAll(objectStreamBomb())).toBe('too-complex')
})

/** Objects 5 to 7 are strings of 4 MB each, in an object stream of some kilobytes. */
function largeMembers(): Uint8Array {
  const large = `<${'41'.repeat(4 << 20)}>`
  return pdfWithObjectStream({ ...bodiesWithPages(1), 5: large, 6: large, 7: large })
}

test('members of an object stream that do not fit into memory cannot be read again and again', () => {
  const document = readDocument(memorySource(largeMembers()))
  const readAgain = () => {
    for (let round = 0; round < 20; round++) for (const number of [5, 6, 7]) document.object(number)
  }
  expect(readAgain).toThrow(expect.objectContaining({ code: 'too-complex' }))
})

test('an object that the length of its own object stream refers to can be read afterwards', () => {
  const content = `<${'41'.repeat(6000)}>`
  const text = textOf(pdfWithObjectStream({ ...bodiesWithPages(1), 4: '17', 5: content }))
  const length = /(?<=<<\/Length )\d{5}(?=\/Type\/ObjStm)/
  expect(text).toMatch(length)
  const document = readDocument(memorySource(bytesOf(text.replace(length, '4 0 R'))))
  expect(document.object(4)?.value).toBe(17)
  expect(document.isRepaired).toBe(true)
})

test('strings without end cannot make us read the file again and again', () => {
  expect(readAll(bytesOf(`%PDF-1.7\n${'1 0 obj (\n'.repeat(100_000)}startxref\n0\n%%EOF`))).toMatch(
    /damaged|too-complex/,
  )
})

test('a cross-reference stream of a thousand million entries is no memory', () => {
  const body = streamBody(
    '\x01\x00\x0f',
    '/Type/XRef/W[1 2 0]/Index[0 999999999]/Size 999999999/Root 1 0 R',
  )
  const text = `%PDF-1.7\n1 0 obj\n${body}\nendobj\nstartxref\n9\n%%EOF`
  expect(readAll(bytesOf(text))).toBe('damaged')
})

test.each([
  ['a table', pdfWithTable(bodiesWithPages(2))],
  ['an object stream', pdfWithObjectStream(bodiesWithPages(2))],
])('%s cut at any place is read or refused', (_, bytes) => {
  for (let length = 0; length < bytes.length; length += 17) readAll(bytes.slice(0, length))
})

test.each([
  ['a table', pdfWithTable(bodiesWithPages(2))],
  ['an object stream', pdfWithObjectStream(bodiesWithPages(2))],
])('%s with any byte changed is read or refused', (_, bytes) => {
  for (let at = 0; at < bytes.length; at += 3) {
    const harmed = bytes.slice()
    harmed[at] = harmed[at]! ^ (1 << (at % 8))
    readAll(harmed)
  }
})
