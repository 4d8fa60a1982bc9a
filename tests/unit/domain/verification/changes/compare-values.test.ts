import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  array,
  dictionary,
  name,
  type PdfObject,
  type PdfStream,
  reference,
} from '#server/domain/pdf/object.ts'
import { isSameValue } from '#server/domain/verification/changes/compare-values.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const OBJECTS: Record<number, PdfObject> = { 1: 7, 2: 7, 3: reference(1), 4: 8 }
const document = {
  source: memorySource(bytesOf('abc-abc-abd')),
  isEncrypted: false,
  resolve: (value: PdfObject) =>
    value !== null && typeof value === 'object' && value.kind === 'ref'
      ? (OBJECTS[value.number] ?? null)
      : value,
  raw: ({ data }: PdfStream) => bytesOf('abc-abc-abd').subarray(data.start, data.end),
} as PdfDocument

const isSame = (a: PdfObject, b: PdfObject, followsReferences = false) => {
  const sides = { a: document, b: document, followsReferences }
  const both = [isSameValue(a, b, sides), isSameValue(b, a, sides)]
  expect(both[0]).toBe(both[1])
  return both[0]
}

const text = (value: string, form: 'literal' | 'hexadecimal' = 'literal'): PdfObject => ({
  ...{ kind: 'string', bytes: bytesOf(value), form },
})
const stream = (
  start: number,
  end: number,
  entries: Record<string, PdfObject> = {},
): PdfStream => ({
  ...{ kind: 'stream', dictionary: dictionary(entries), data: { start, end } },
  owner: { number: 9, generation: 0 },
})

test.each<[string, PdfObject, PdfObject]>([
  ['whole numbers', 7, 7],
  ['numbers that a float of 32 bits cannot tell apart', 595.303937007874, 595.30398],
  ['a whole number and one beside it by so little', 595, 595.0003],
  ['negative ones', -595.303937, -595.30398],
  ['names', name('A'), name('A')],
  ['strings, however they are written', text('a'), text('a', 'hexadecimal')],
  ['lists', array([1, name('A')]), array([1, name('A')])],
  ['dictionaries, whatever the order', dictionary({ A: 1, B: 2 }), dictionary({ B: 2, A: 1 })],
  ['a key whose value is null', dictionary({ A: 1, B: null }), dictionary({ A: 1 })],
  ['streams, but for the length that is written', stream(0, 3, { Length: 3 }), stream(4, 7)],
  ['nothing', null, null],
  ['references to one object', reference(1), reference(1)],
])('same value: %s', (_, a, b) => {
  expect(isSame(a, b)).toBe(true)
})

test.each<[string, PdfObject, PdfObject]>([
  ['whole numbers that are near', 100_000_000, 100_000_001],
  ['numbers that a float tells apart', 595.3039, 595.3049],
  ['zero and nothing', 0, null],
  ['zero and no', 0, false],
  ['one and yes', 1, true],
  ['a number and a name', 1, name('1')],
  ['nothing and a dictionary', null, dictionary({})],
  ['a name and a string', name('A'), text('A')],
  ['names', name('A'), name('B')],
  ['strings', text('a'), text('b')],
  ['lists of which one is longer', array([1]), array([1, 2])],
  ['lists of which one value differs', array([1, 2]), array([1, 3])],
  ['lists in another order', array([1, 2]), array([2, 1])],
  ['a list and a dictionary', array([]), dictionary({})],
  ['a stream and a dictionary', stream(0, 3), dictionary({})],
  ['a key more', dictionary({ A: 1 }), dictionary({ A: 1, B: 2 })],
  ['values of a key', dictionary({ A: 1 }), dictionary({ A: 2 })],
  [
    'dictionaries of which one writes a key twice',
    dictionary({ A: 1 }),
    { ...dictionary({ A: 1 }), repeatedKeys: ['A'] },
  ],
  ['streams with other data', stream(0, 3), stream(8, 11)],
  ['streams of other lengths', stream(0, 3), stream(0, 4)],
  ['streams with other keys', stream(0, 3, { A: 1 }), stream(0, 3)],
  ['references to two objects', reference(1), reference(2)],
  ['references to two generations of an object', reference(1), reference(1, 1)],
  ['a reference and what it leads to', reference(1), 7],
])('other value: %s', (_, a, b) => {
  expect(isSame(a, b)).toBe(false)
})

test('references are followed one step, where they are', () => {
  expect(isSame(reference(1), reference(2), true)).toBe(true)
  expect(isSame(reference(1), 7, true)).toBe(true)
  expect(isSame(reference(1), reference(4), true)).toBe(false)
  expect(isSame(reference(1), reference(1, 1), true)).toBe(false)
  expect(isSame(array([reference(1)]), array([reference(2)]), true)).toBe(true)
  // One step leads from 3 to a reference.
  expect(isSame(reference(3), reference(2), true)).toBe(false)
})

test('data of an encrypted file is compared as it is read', () => {
  const encrypted = { ...document, isEncrypted: true }
  const sides = { a: encrypted, b: document, followsReferences: false }
  expect(isSameValue(stream(0, 3), stream(4, 7), sides)).toBe(true)
  expect(isSameValue(stream(0, 3), stream(8, 11), sides)).toBe(false)
  // What it reads may be the same although other bytes are in the file, and the other way round.
  const decrypted = { ...encrypted, raw: () => bytesOf('abc') }
  expect(isSameValue(stream(0, 3), stream(8, 11), { ...sides, a: decrypted, b: decrypted })).toBe(
    true,
  )
  expect(isSameValue(stream(8, 11), stream(8, 11), { ...sides, a: decrypted })).toBe(false)
  expect(isSameValue(stream(8, 11), stream(8, 11), { ...sides, a: document, b: decrypted })).toBe(
    false,
  )
})

test('long data is compared to its end', () => {
  const half = Buffer.alloc(3 << 19, 'abc')
  const other = Buffer.from(half)
  other[other.length - 1]! ^= 1
  const source = memorySource(Buffer.concat([half, half, other]))
  const sides = { a: { ...document, source }, b: { ...document, source }, followsReferences: false }
  const place = (at: number) => stream(at * half.length, (at + 1) * half.length)
  expect(isSameValue(place(0), place(1), sides)).toBe(true)
  expect(isSameValue(place(1), place(0), sides)).toBe(true)
  expect(isSameValue(place(0), place(2), sides)).toBe(false)
  expect(isSameValue(place(1), place(2), sides)).toBe(false)
})
