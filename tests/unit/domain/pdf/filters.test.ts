import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeFilters } from '#server/domain/pdf/filters/decode.ts'
import { decodeLzw } from '#server/domain/pdf/filters/lzw.ts'
import { undoPredictor } from '#server/domain/pdf/filters/predictor.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from '#server/domain/pdf/filters/text.ts'
import { array, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'

const direct = (value: PdfObject | undefined) => value ?? null
const LIMIT = 1 << 16

test('filters apply in their order', () => {
  const hex = Buffer.from(deflateSync('twice')).toString('hex')
  const filters = dictionary({ Filter: array([name('ASCIIHexDecode'), name('FlateDecode')]) })
  expect(textOf(decodeFilters(bytesOf(`${hex}>`), filters, direct, LIMIT))).toBe('twice')
})

test('truncated deflate data yields its readable part', () => {
  const data = deflateSync('a'.repeat(5000), { level: 0 })
  const flate = dictionary({ Filter: name('FlateDecode') })
  expect(decodeFilters(data.subarray(0, 2000), flate, direct, LIMIT).length).toBeGreaterThan(1000)
})

test('a stream that expands without end is refused', () => {
  const bomb = deflateSync(Buffer.alloc(LIMIT + 1))
  const flate = dictionary({ Filter: name('FlateDecode') })
  expect(() => decodeFilters(bomb, flate, direct, LIMIT)).toThrow(
    expect.objectContaining({ code: 'too-complex' }),
  )
})

// The example of ISO 32000-2:2020, 7.4.4.2.
test('LZW decodes the example of the standard', () => {
  const data = Uint8Array.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01])
  expect([...decodeLzw(data, 1, LIMIT)]).toEqual([45, 45, 45, 45, 45, 65, 45, 45, 45, 66])
})

test('the ASCII and run length filters decode', () => {
  expect(textOf(decodeAsciiHex(bytesOf('48 65 6c6C 6f7>')))).toBe('Hellop')
  expect(textOf(decodeAscii85(bytesOf('87cURD]i,"Ebo80~>'), LIMIT))).toBe('Hello World!')
  expect([...decodeAscii85(bytesOf('z~>'), LIMIT)]).toEqual([0, 0, 0, 0])
  expect(textOf(decodeRunLength(Uint8Array.from([2, 97, 98, 99, 254, 100, 128]), LIMIT))).toBe(
    'abcddd',
  )
})

test('PNG predictors are undone row by row', () => {
  const png = { predictor: 15, colors: 1, bitsPerComponent: 8, columns: 3 }
  const rows = [
    [0, 1, 2, 3],
    [1, 1, 1, 1],
    [2, 1, 1, 1],
    [3, 1, 1, 1],
    [4, 1, 1, 1],
  ]
  expect([...undoPredictor(Uint8Array.from(rows.flat()), png)]).toEqual([
    1, 2, 3, 1, 2, 3, 2, 3, 4, 2, 3, 4, 3, 4, 5,
  ])
})

test('the TIFF predictor is undone', () => {
  const tiff = { predictor: 2, colors: 1, bitsPerComponent: 8, columns: 3 }
  expect([...undoPredictor(Uint8Array.of(1, 1, 1, 5, 255, 1), tiff)]).toEqual([1, 2, 3, 5, 4, 5])
})
