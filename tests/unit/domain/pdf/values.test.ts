import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { byteReader } from '#server/domain/pdf/byte-reader.ts'
import { decodeDate, encodeDate } from '#server/domain/pdf/date-string.ts'
import { entriesOf, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { readValue } from '#server/domain/pdf/parser.ts'
import { serialize } from '#server/domain/pdf/serialize.ts'
import { decodeText, encodeText } from '#server/domain/pdf/text-string.ts'
import { parseInstant } from '#server/domain/time.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'

const parse = (text: string): PdfObject =>
  readValue({ bytes: byteReader(memorySource(bytesOf(text))), position: 0 }, 'object-stream')

test.each([
  ['1.0', 1],
  ['+17', 17],
  ['-.5', -0.5],
  ['4.', 4],
  ['--5', -5],
  ['-0', 0],
  ['true', true],
  ['null', null],
  ['nonsense', null],
])('%s means %s', (text, value) => {
  expect(parse(text)).toBe(value)
})

test.each([
  ['nothing else', '', ''],
  ['an escaped bracket', '\\)b', ')b'],
  ['brackets', '(b)', '(b)'],
  ['a code', '\\101', 'A'],
  ['a line end of two bytes', '\r\n', '\n'],
  ['a line end of one byte', '\n', '\n'],
])('a string of any length with %s behind its letters is read', (_, written, expected) => {
  for (const length of [0, 1, 250, 255, 256, 257, 300, 40_000, 70_000]) {
    const letters = 'a'.repeat(length)
    const value = parse(`(${letters}${written}${letters})`)
    expect(isString(value) && textOf(value.bytes)).toBe(`${letters}${expected}${letters}`)
  }
})

test('arrays and dictionaries of any length, one inside the other, are read', () => {
  for (const count of [0, 1, 15, 16, 17, 18, 5000]) {
    const inner = Array.from({ length: count }, (_, at) => `/K${at} [${at} <</L (${at})>>]`)
    const text = `<<${inner.join(' ')}>>`
    const value = parse(`[${text} ${text} 7]`)
    expect(serialize(value)).toBe(serialize(parse(serialize(value))))
    const [first, second, last] =
      value !== null && typeof value === 'object' && value.kind === 'array' ? value.items : []
    expect(last).toBe(7)
    for (const one of [first, second]) {
      expect([...entriesOf(one)].map(([key]) => key)).toEqual(inner.map((_, at) => `K${at}`))
      expect(entriesOf(one).get(`K${count - 1}`)).toEqual(
        count === 0 ? undefined : parse(`[${count - 1} <</L (${count - 1})>>]`),
      )
    }
  }
})

test('a value whose end is missing leaves nothing to the next one', () => {
  expect(() => parse('[1 2 <</A [3 4')).toThrow()
  expect(serialize(parse('[5 <</B 6>>]'))).toBe(serialize(parse('[ 5<</B 6>> ]')))
  expect(parse('[5]')).toMatchObject({ items: [5] })
})

test.each([
  ['(a\\(b\\)c)', 'a(b)c'],
  ['(nested (one) two)', 'nested (one) two'],
  ['(\\101\\7\\n\\q)', 'A\x07\nq'],
  ['(line\\\r\nless)', 'lineless'],
  ['(cr\r\nlf)', 'cr\nlf'],
  ['<48 65 6C6c 6f 7>', 'Hellop'],
])('the string %s is read', (text, expected) => {
  const value = parse(text)
  expect(isString(value) && textOf(value.bytes)).toBe(expected)
})

test.each([
  '<</A 1/B[1 0 R 2 -3.25 true null]/C<</D(x\\)y)>>/E#20F <00ff>>>',
  '[/Name/With#20space 12 0 R 12 0 13]',
])('%s survives writing and reading', (text) => {
  const value = parse(text)
  expect(parse(serialize(value))).toEqual(value)
})

test('a key that is written twice is remembered', () => {
  const value = parse('<</A 1/A 2>>')
  expect(value).toMatchObject({ repeatedKeys: ['A'] })
  expect([...entriesOf(value)]).toEqual([['A', 2]])
})

test.each(['<</A)/B 1>>', '<</A{}/B 1>>', '<</A>/B 1>>', '<</A nonsense/B 1>>'])(
  '%s is read as other readers do',
  (text) => {
    expect([...entriesOf(parse(text))]).toEqual([
      ['A', null],
      ['B', 1],
    ])
  },
)

test.each([1, 16, 17, 1000])(
  'a dictionary of %i keys has each value by its key, in the order of the file',
  (count) => {
    const pairs = Array.from({ length: count }, (_, at) => [`K${at}`, at] as const)
    const entries = entriesOf(
      parse(`<<${pairs.map(([key, at]) => `/${key} ${at}`).join('')}/K0 0>>`),
    )
    expect(entries.size).toBe(count)
    expect([...entries]).toEqual(pairs)
    expect([...entries.entries()]).toEqual(pairs)
    expect([...entries.keys()]).toEqual(pairs.map(([key]) => key))
    expect([...entries.values()]).toEqual(pairs.map(([, at]) => at))
    expect(pairs.every(([key, at]) => entries.has(key) && entries.get(key) === at)).toBe(true)
    expect([entries.has('K'), entries.get('K')]).toEqual([false, undefined])
    const met: unknown[] = []
    entries.forEach((value, key) => {
      met.push([key, value])
    })
    expect(met).toEqual(pairs)
  },
)

test('dictionaries with the same keys keep their own values', () => {
  const [one, other] = [parse('<</A 1/B 2>>'), parse('<</A 3/B 4>>')].map(entriesOf)
  expect([one?.get('A'), one?.get('B'), other?.get('A'), other?.get('B')]).toEqual([1, 2, 3, 4])
})

test('numbers are never written with an exponent', () => {
  expect([1e21, 1e-7, 0.1, 595.28, -3].map(serialize)).toEqual([
    '1000000000000000000000',
    '0.0000001',
    '0.1',
    '595.28',
    '-3',
  ])
})

test.each(['[', '<</A', '(', '<48', '<</A 1 endobj'])('%s has no end', (text) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'damaged' }))
})

test('values that nest too deep are refused', () => {
  for (const opening of ['[', '<</A'])
    expect(() => parse(opening.repeat(100_000))).toThrow(
      expect.objectContaining({ code: 'too-complex' }),
    )
})

test.each(['Firma1', 'Notaría 12', 'Ñandú – €', '漢字', '(a)\\'])(
  '%s survives as a text string',
  (text) => {
    expect(decodeText(encodeText(text))).toBe(text)
  },
)

test('PDFDocEncoding and UTF-8 are decoded', () => {
  expect(decodeText(bytesOf('Mu\xf1oz \x84 \xa0'))).toBe('Muñoz — €')
  expect(decodeText(bytesOf('\xef\xbb\xbfMu\xc3\xb1oz'))).toBe('Muñoz')
})

test('dates are written in UTC and read with their zone', () => {
  const instant = parseInstant('2026-11-20T15:05:00Z')
  expect(textOf(encodeDate(instant))).toBe("D:20261120150500+00'00'")
  expect(decodeDate("D:20261120090500-06'00'")).toBe(instant)
  expect(decodeDate('D:20261120150500Z')).toBe(instant)
  expect(decodeDate('yesterday')).toBeUndefined()
})
