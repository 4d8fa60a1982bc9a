import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf } from '#server/domain/pdf/object.ts'
import { unicodeCodes } from '#server/domain/verification/looks/unicode-codes.ts'
import { fontFileOf, words } from '#tests/support/pdf/font-file.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'

/* What it costs to look up characters in a table that a stranger wrote. */

/** Gives each character the glyph of the next number, behind segments that have none. */
const programWith = (segments: number, isCut = false) =>
  fontFileOf([['cmap', tableWith(segments, isCut)]], 'OTTO')

function tableWith(segments: number, isCut = false): string {
  const ends = words(0).repeat(segments) + words(0xffff, 0)
  const starts = words(0).repeat(segments + 1)
  const deltas = words(0).repeat(segments) + words(1)
  const offsets = words(0).repeat(segments + 1)
  const head = words(0, 1, 3, 1, 0, 12, 4, 0, 0, 2 * segments + 2, 0, 0, 0)
  return head + (isCut ? ends.slice(0, -4) : ends + starts + deltas + offsets)
}
const MAP = Array.from({ length: 2000 }, (_, code) => words(code + 1)).join('')

function reading(program: string, map = MAP) {
  const document = readDocument(
    memorySource(
      pdfWithTable({
        ...bodiesWithPages(1),
        14: '<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[15 0 R]>>',
        15: '<</FontDescriptor<</FontFile3 18 0 R>>/CIDToGIDMap 17 0 R>>',
        17: streamBody(map),
        18: streamBody(program),
      }),
    ),
  )
  const read = unicodeCodes(document, entriesOf(document.object(14)?.value))
  // The font file is read at the first code.
  read(bytesOf(words(0x30)))
  const spend = vi.spyOn(document.meter, 'spend')
  return {
    readBytes: (codes: string) => read(bytesOf(codes)),
    read: (codes: readonly number[]) => read(bytesOf(words(...codes))),
    spent: () => spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0),
  }
}
const CODES = Array.from({ length: 1000 }, (_, at) => at + 0x100)

test('codes of Unicode: one of which the map has half of its glyph has none', () => {
  const code = 0xff
  // The first half of the glyph 0x100, which the font file has for this character.
  const { read } = reading(programWith(0), MAP.slice(0, 2 * code + 1))
  expect(read([code - 1])).toBe('\u{fe}')
  expect(read([code])).toBeUndefined()
  expect(reading(programWith(0)).read([code])).toBe('\u{ff}')
})

test('codes of Unicode: half of one behind the others has no letter', () => {
  expect(reading(programWith(0)).read([0x30, 0x400])).toBe('0\u0400')
  expect(reading(programWith(0)).readBytes('\0\x30\x04')).toBeUndefined()
})

test('codes of Unicode: a table that goes on behind its font file has none', () => {
  const program = fontFileOf([['cmap', tableWith(0) + words(0, 0)]], 'OTTO')
  expect(reading(program).read([0x30])).toBe('0')
  expect(reading(program.slice(0, -2)).read([0x30])).toBeUndefined()
})

test('codes of Unicode: those of control characters have no letter', () => {
  const { read } = reading(programWith(0))
  expect(read([0x20])).toBe(' ')
  expect(read([0x1f])).toBeUndefined()
  expect(read([0x41, 0x0a])).toBeUndefined()
})

test.each([
  ['of Unicode', [3, 1], 4, '0'],
  ['of symbols', [3, 0], 4, undefined],
  ['of another system', [1, 0], 4, undefined],
  ['in another format', [3, 1], 12, undefined],
])('codes of Unicode: a table %s', (_, platform, format, text) => {
  const usual = programWith(3)
  const program = usual.replace(
    words(3, 1, 0, 12, 4, 0, 0, 8),
    words(...platform, 0, 12, format, 0, 0, 8),
  )
  expect(program === usual).toBe(text !== undefined)
  expect(reading(program).read([0x30])).toBe(text)
})

test('codes of Unicode: one behind all segments of the table has no glyph', () => {
  const own = Array.from({ length: 0x100 }, (_, code) => words(code)).join('')
  // One segment up to A, whose glyphs have the numbers of its characters; then zeros.
  const segment = words(0x41, 0, 0x20, 0, 0) + words(0).repeat(200)
  const cmap = words(0, 1, 3, 1, 0, 12, 4, 0, 0, 2, 0, 0, 0) + segment
  const { read } = reading(fontFileOf([['cmap', cmap]], 'OTTO'), own)
  expect(read([0x41])).toBe('A')
  expect(read([0x42])).toBeUndefined()
})

test('codes of Unicode: cost as much as the table has segments, once for each code', () => {
  const { read, spent } = reading(programWith(30_000))
  expect(read(CODES)).toHaveLength(CODES.length)
  const once = spent()
  expect(once).toBeGreaterThan(1_000_000)
  read(CODES)
  expect(spent()).toBe(once)
})

test('codes of Unicode: cost little in a usual table', () => {
  const { read, spent } = reading(programWith(3))
  expect(read(CODES)).toHaveLength(CODES.length)
  expect(spent()).toBeLessThan(5000)
})

test('codes of Unicode: a table that is cut off costs as much as is left of it, once', () => {
  const { read, spent } = reading(programWith(30_000, true))
  for (const code of [...CODES, ...CODES]) expect(read([code])).toBeUndefined()
  expect(spent()).toBeGreaterThan(1_000_000)
  expect(spent()).toBeLessThan(5_000_000)
})
