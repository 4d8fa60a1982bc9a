import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { undoPredictor } from '#server/domain/pdf/filters/predictor.ts'
import { isStream } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { bodiesWithPages, bytesOf, pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { onDisk, qpdf } from './variants.ts'

/* Every filter that structure may use, decoded by us and by qpdf. Data are text, one character a byte. */

const hex = (data: string) => `${Buffer.from(data, 'latin1').toString('hex')}>`
const flate = (data: string) => textOf(deflateSync(bytesOf(data)))

function ascii85(data: string): string {
  const bytes = bytesOf(data)
  let out = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const count = Math.min(4, bytes.length - at)
    let value = 0
    for (let step = 0; step < 4; step++) value = value * 256 + (bytes[at + step] ?? 0)
    let digits = ''
    for (let step = 0; step < 5; step++) {
      digits = String.fromCharCode(0x21 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    out += count === 4 && digits === '!!!!!' ? 'z' : digits.slice(0, count + 1)
  }
  return `${out}~>`
}

/** Copies of up to 128 bytes, and each run of one byte as a run. */
function runLength(data: string): string {
  let out = ''
  for (const [run, byte] of data.matchAll(/([\s\S])\1{0,127}/g))
    out += run.length > 1 ? String.fromCharCode(257 - run.length) + byte : `\0${byte}`
  return `${out}\x80`
}

/** As encoders write it: codes of 9 to 12 bits, a fresh table when it is full. */
function lzw(data: string, earlyChange: 0 | 1): string {
  let bits = ''
  let table = new Map<string, number>()
  let next = 258
  const width = () => {
    const size = next + earlyChange
    return size > 2048 ? 12 : size > 1024 ? 11 : size > 512 ? 10 : 9
  }
  const emit = (code: number) => {
    bits += code.toString(2).padStart(width(), '0')
  }
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : table.get(text)!)
  emit(256)
  let held = ''
  for (const character of data) {
    if (held === '' || table.has(held + character)) {
      held += character
      continue
    }
    emit(codeOf(held))
    table.set(held + character, next++)
    held = character
    if (next >= 4094) {
      emit(codeOf(held))
      next++
      emit(256)
      table = new Map()
      next = 258
      held = ''
    }
  }
  if (held) {
    emit(codeOf(held))
    next++
  }
  emit(257)
  const octets = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g)!
  return String.fromCharCode(...octets.map((octet) => Number.parseInt(octet, 2)))
}

/** PNG rows of 8 bytes, each with another kind of prediction. */
function pngRows(data: string): string {
  const bytes = bytesOf(data)
  let out = ''
  for (let row = 0; row * 8 < bytes.length; row++) {
    const type = row % 3
    out += String.fromCharCode(type)
    for (let x = 0; x < 8; x++) {
      const at = row * 8 + x
      const left = x > 0 ? bytes[at - 1]! : 0
      const above = row > 0 ? bytes[at - 8]! : 0
      out += String.fromCharCode((bytes[at]! - [0, left, above][type]!) & 255)
    }
  }
  return out
}

// Bytes that do not repeat too soon, so that the codes of LZW grow; a multiple of 8 of them.
const noise = Array.from({ length: 4000 }, (_, at) =>
  String.fromCharCode(33 + ((at * at * 7 + at) % 90)),
)
const LONG = `% ${noise.join('')}\n`.padEnd(4008, ' ')
const ZEROS = `${'\0'.repeat(64)}${LONG}`

test.each<[string, string, string, string]>([
  ['Flate', LONG, flate(LONG), '/Filter/FlateDecode'],
  [
    'Flate with rows',
    LONG,
    flate(pngRows(LONG)),
    '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 8>>',
  ],
  ['LZW', LONG, lzw(LONG, 1), '/Filter/LZWDecode'],
  ['LZW that changes late', LONG, lzw(LONG, 0), '/Filter/LZWDecode/DecodeParms<</EarlyChange 0>>'],
  ['ASCIIHex', LONG, hex(LONG), '/Filter/ASCIIHexDecode'],
  ['ASCII85', ZEROS, ascii85(ZEROS), '/Filter/ASCII85Decode'],
  ['RunLength', ZEROS, runLength(ZEROS), '/Filter/RunLengthDecode'],
  [
    'two of them',
    LONG,
    ascii85(flate(LONG)),
    '/Filter[/ASCII85Decode/FlateDecode]/DecodeParms[null null]',
  ],
  [
    'two with parameters for the second',
    LONG,
    hex(flate(pngRows(LONG))),
    '/Filter[/AHx/Fl]/DecodeParms[null<</Predictor 12/Columns 8>>]',
  ],
])('%s is decoded as qpdf decodes it', (_, plain, stored, entries) => {
  const content = `<</Length ${stored.length}${entries}>>\nstream\n${stored}\nendstream`
  const file = pdfWithTable({ ...bodiesWithPages(1), 11: content })
  const document = readDocument(memorySource(file))
  const stream = document.resolve(pagesOf(document)[0]!.dictionary.entries.get('Contents'))
  const ours = isStream(stream) ? textOf(document.decoded(stream)) : ''
  expect(ours).toBe(plain)
  const judged = qpdf('--show-object=11', '--filtered-stream-data', onDisk(file))
  expect(Buffer.from(judged.output, 'utf8').toString('utf8')).toBe(
    Buffer.from(plain, 'latin1').toString('utf8'),
  )
})

test.each([
  [1, 0b1010_1010, 0b1100_1100],
  [2, 0b01_01_01_01, 0b01_10_11_00],
  [4, 0x11, 0x12],
])('the TIFF predictor is undone for samples of %i bits', (bits, stored, plain) => {
  const parameters = { predictor: 2, colors: 1, bitsPerComponent: bits, columns: 8 / bits }
  expect([...undoPredictor(Uint8Array.of(stored, stored), parameters)]).toEqual([plain, plain])
})

test('and for samples of 16', () => {
  const parameters = { predictor: 2, colors: 1, bitsPerComponent: 16, columns: 2 }
  expect([...undoPredictor(Uint8Array.of(0, 255, 0, 2), parameters)]).toEqual([0, 255, 1, 1])
})

test.each([
  ['LZW', lzw('\0'.repeat(200_000), 1), '/Filter/LZWDecode'],
  ['RunLength', '\x81\0'.repeat(1000), '/Filter/RunLengthDecode'],
  ['ASCII85', 'z'.repeat(20_000), '/Filter/ASCII85Decode'],
  ['Flate in Flate', flate(flate('\0'.repeat(1 << 20))), '/Filter[/Fl/Fl]'],
  ['too many filters', '', `/Filter[${'/AHx'.repeat(9)}]`],
])('%s that expands without end is refused', (_, stored, entries) => {
  const content = `<</Length ${stored.length}${entries}>>\nstream\n${stored}\nendstream`
  const document = readDocument(memorySource(pdfWithTable({ ...bodiesWithPages(1), 11: content })))
  const stream = document.object(11)!.value
  expect(() => isStream(stream) && document.decoded(stream, 1 << 16)).toThrow(
    expect.objectContaining({ code: 'too-complex' }),
  )
})
