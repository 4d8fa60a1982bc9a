import { expect, test } from 'vitest'
import { DerError, type DerNode, readBer, readBerPrefix, readDer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import {
  bitsOf,
  hexOf,
  octetsOf,
  oidOf,
  smallIntegerOf,
  TAG,
  textOf,
  unsignedBytesOf,
} from '#server/domain/asn1/der-values.ts'
import {
  bitString,
  element,
  explicit,
  generalizedTime,
  implicit,
  integer,
  octetString,
  oid,
  sequence,
  setOfElements,
  t61String,
  time,
  unsignedInteger,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import { fromHex } from '#server/domain/bytes.ts'

const hex = (text: string) => fromHex(text.replaceAll(' ', ''))
const codeOf = (read: () => unknown) => {
  try {
    read()
    return 'read'
  } catch (error) {
    return error instanceof DerError ? error.code : error
  }
}
/** Every element below, so that what is read lazily is read. */
const walk = (node: DerNode): number =>
  node.tag & 0x20 ? node.children().reduce((sum, child) => sum + walk(child), 1) : 1

test.each([
  ['nothing', '', 'truncated'],
  ['a length without content', '04 05 00', 'truncated'],
  ['a length of four gigabytes', '04 84 ff ff ff ff 00', 'truncated'],
  ['a length of 127 octets', `04 ff ${'00'.repeat(127)}`, 'length-not-minimal'],
  ['bytes behind the end', '05 00 00', 'trailing-bytes'],
  ['an indefinite length', '30 80 05 00 00 00', 'indefinite-length'],
  ['a long form for a short length', '04 81 01 00', 'length-not-minimal'],
  ['a length with a leading zero', `04 82 00 80 ${'00'.repeat(128)}`, 'length-not-minimal'],
  ['an OCTET STRING in pieces', '24 03 04 01 00', 'wrong-form'],
  ['a primitive SEQUENCE', '10 00', 'wrong-form'],
  ['a tag number above 30', '1f 81 01 00', 'unsupported-tag'],
  ['end-of-contents by itself', '00 00', 'unsupported-tag'],
])('the distinguished rules refuse %s', (_, text, code) => {
  expect(codeOf(() => readDer(hex(text)))).toBe(code)
})

test('a child cannot be longer than its parent', () => {
  expect(codeOf(() => readDer(hex('30 03 04 05 00')).children())).toBe('truncated')
})

test('an element keeps the bytes that came', () => {
  const node = readDer(hex('30 05 02 01 05 05 00'))
  expect(hexOf(node.bytes)).toBe('30050201050500')
  expect(node.children().map(({ tag, bytes }) => [tag, hexOf(bytes)])).toEqual([
    [TAG.integer, '020105'],
    [TAG.null, '0500'],
  ])
})

// X.690, 8.14 and 8.7.3: the basic rules allow these.
test.each([
  ['whole', '04 04 01 23 45 67'],
  ['in pieces', '24 08 04 02 01 23 04 02 45 67'],
  ['of indefinite length', '24 80 04 01 01 24 05 04 03 23 45 67 00 00'],
  ['with a long length', '04 82 00 04 01 23 45 67'],
])('the basic rules read an OCTET STRING %s', (_, text) => {
  expect(hexOf(octetsOf(readBer(hex(text))))).toBe('01234567')
})

test('an indefinite length that never ends is refused', () => {
  expect(codeOf(() => readBer(hex('30 80 05 00')))).toBe('truncated')
  expect(codeOf(() => readBer(hex('30 80 05 00 00 01')))).toBe('bad-value')
  expect(codeOf(() => readBer(hex('04 80 00 00')))).toBe('wrong-form')
})

test('DER prefix: bytes after the first element are ignored', () => {
  expect(readBerPrefix(hex('30 80 00 00 00 00 00')).bytes).toHaveLength(4)
})

test('a bomb of nested elements ends at once', () => {
  const nested = new Uint8Array(200_000)
  for (let at = 0; at < nested.length; at += 2) nested.set([0x30, 0x80], at)
  expect(codeOf(() => readBer(nested))).toBe('too-deep')
  let definite: Uint8Array = new Uint8Array(0)
  for (let depth = 0; depth < 100; depth++) definite = sequence(definite)
  expect(codeOf(() => walk(readDer(definite)))).toBe('too-deep')
})

test('a bomb of many elements ends at the limit', () => {
  const flat = sequence(...Array.from({ length: 1000 }, () => hex('05 00')))
  expect(codeOf(() => walk(readDer(flat, { maxNodes: 500 })))).toBe('too-many-nodes')
  expect(walk(readDer(flat))).toBe(1001)
})

// X.690, 8.19.5, and identifiers that cross the borders of the first two arcs.
test.each([
  ['2.999.3', '06 03 88 37 03'],
  ['1.2.840.113549.1.1.11', '06 09 2a 86 48 86 f7 0d 01 01 0b'],
  ['2.5.4.45', '06 03 55 04 2d'],
  ['0.4.0.1862.1.1', '06 06 04 00 8e 46 01 01'],
])('identifier %s', (dotted, text) => {
  expect(hexOf(oid(dotted))).toBe(text.replaceAll(' ', ''))
  expect(oidOf(readDer(hex(text)))).toBe(dotted)
})

test('an identifier that does not end is refused', () => {
  expect(codeOf(() => oidOf(readDer(hex('06 02 2a 86'))))).toBe('bad-value')
})

// X.690, 8.3
test.each([
  [0, '020100'],
  [127, '02017f'],
  [128, '02020080'],
  [256, '02020100'],
  [2048, '02020800'],
])('integer %i', (value, text) => {
  expect(hexOf(integer(value))).toBe(text)
  expect(smallIntegerOf(readDer(hex(text)))).toBe(value)
})

test('negative and large integers are not small integers', () => {
  expect(codeOf(() => smallIntegerOf(readDer(hex('02 01 ff'))))).toBe('bad-value')
  expect(codeOf(() => smallIntegerOf(readDer(hex('02 05 01 00 00 00 00'))))).toBe('bad-value')
  expect(hexOf(unsignedBytesOf(readDer(unsignedInteger(hex('00 ff 01')))))).toBe('ff01')
})

test('named bits count from the left', () => {
  const isSet = bitsOf(readDer(hex('03 02 03 d8')))
  expect([0, 1, 2, 3, 4, 5].map(isSet)).toEqual([true, true, false, true, true, false])
})

// X.690, 11.6: a SET OF is sorted by its encodings.
test('a set is written in order', () => {
  const set = setOfElements(hex('04 02 00 00'), hex('02 01 09'), hex('04 01 ff'))
  expect(hexOf(set)).toBe('310a0201090401ff04020000')
})

test('long contents have long lengths', () => {
  expect(hexOf(octetString(new Uint8Array(128))).slice(0, 6)).toBe('048180')
  expect(hexOf(octetString(new Uint8Array(65536))).slice(0, 10)).toBe('0483010000')
})

test('tags around and in place of others', () => {
  expect(hexOf(explicit(0, integer(2)))).toBe('a003020102')
  expect(hexOf(implicit(1, hex('ff')))).toBe('8101ff')
  expect(hexOf(bitString(hex('d8'), 3))).toBe('030203d8')
})

test('T61String is Latin-1, and a PrintableString may hold UTF-8', () => {
  expect(textOf(readDer(t61String('CAÑF & Ü')))).toBe('CAÑF & Ü')
  expect(textOf(readDer(utf8String('Administración')))).toBe('Administración')
  const spelled = element(TAG.printableString, new TextEncoder().encode('AdministraciÃ³n'))
  expect(textOf(readDer(spelled))).toBe('AdministraciÃ³n')
  expect(textOf(readDer(element(TAG.printableString, hex('d1'))))).toBe('Ñ')
  expect(textOf(readDer(element(TAG.bmpString, hex('00d1 0041'))))).toBe('ÑA')
})

const ascii = (tag: number, text: string) => element(tag, new TextEncoder().encode(text))

// RFC 5280, 4.1.2.5
test.each([
  [TAG.utcTime, '491231235959Z', '2049-12-31T23:59:59.000Z'],
  [TAG.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [TAG.utcTime, '180718205903.190Z', '2018-07-18T20:59:03.190Z'],
  [TAG.utcTime, '2607180559-0600', '2026-07-18T11:59:00.000Z'],
  [TAG.generalizedTime, '20500101000000Z', '2050-01-01T00:00:00.000Z'],
  [TAG.generalizedTime, '202601010000Z', '2026-01-01T00:00:00.000Z'],
  [TAG.generalizedTime, '20180718205903.190Z', '2018-07-18T20:59:03.190Z'],
  [TAG.generalizedTime, '99991231235959Z', '9999-12-31T23:59:59.000Z'],
])('time %i %s', (tag, text, expected) => {
  expect(new Date(timeOf(readDer(ascii(tag, text)))).toISOString()).toBe(expected)
})

test.each([
  [TAG.utcTime, '260230000000Z'],
  [TAG.utcTime, '261301000000Z'],
  [TAG.utcTime, '260101240000Z'],
  [TAG.utcTime, '260101000000'],
  [TAG.utcTime, '20260101000000Z'],
  [TAG.generalizedTime, '260101000000Z'],
  [TAG.generalizedTime, ''],
])('no time: %i %s', (tag, text) => {
  expect(codeOf(() => timeOf(readDer(ascii(tag, text))))).toBe('bad-value')
})

test('times are written as RFC 5280 wants', () => {
  expect(time(Date.UTC(2049, 11, 31, 23, 59, 59))[0]).toBe(TAG.utcTime)
  expect(time(Date.UTC(2050, 0, 1))[0]).toBe(TAG.generalizedTime)
  const at = Date.UTC(2026, 10, 20, 15, 5)
  expect(timeOf(readDer(generalizedTime(at)))).toBe(at)
})
