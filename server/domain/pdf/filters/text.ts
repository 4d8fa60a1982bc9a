import { hexDigit, isWhiteSpace } from '#server/domain/pdf/characters.ts'
import { PdfError } from '#server/domain/pdf/error.ts'

/**
 * The decoded bytes of ASCIIHexDecode.
 *
 * @throws {PdfError} `damaged` at what is neither a digit nor white space: readers skip it, stop, or take it for 0
 * @see ISO 32000-2:2020, 7.4.2
 */
export function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length + 1) >> 1)
  let digits = 0
  for (const byte of data) {
    if (byte === 0x3e) break
    if (isWhiteSpace(byte)) continue
    const digit = hexDigit(byte)
    if (digit < 0) throw new PdfError('damaged', 'a hexadecimal digit that is none')
    out[digits >> 1] = digits % 2 === 0 ? digit << 4 : out[digits >> 1]! | digit
    digits++
  }
  return out.subarray(0, (digits + 1) >> 1)
}

/**
 * The decoded bytes of ASCII85Decode.
 *
 * @throws {PdfError} `too-complex` above `limit` bytes, `damaged` at what is no digit: readers do not agree about it
 * @see ISO 32000-2:2020, 7.4.3
 */
export function decodeAscii85(data: Uint8Array, limit: number): Uint8Array {
  const out = new Uint8Array(lengthOfAscii85(data, limit))
  let at = 0
  let group: number[] = []
  const write = (count: number) => {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5)
    const value = padded.reduce((sum, digit) => sum * 85 + digit, 0) >>> 0
    for (let step = 0; step < count; step++) out[at++] = value >>> (24 - 8 * step)
    group = []
  }
  for (const byte of data) {
    if (byte === END_OF_ASCII85) break
    if (byte === ZEROS && group.length === 0) at += 4
    else if (byte >= 0x21 && byte <= 0x75) group.push(byte - 0x21)
    else if (!isWhiteSpace(byte)) throw new PdfError('damaged', 'a digit of base 85 that is none')
    if (group.length === 5) write(4)
  }
  if (group.length > 1) write(group.length - 1)
  return out.subarray(0, at)
}

const [END_OF_ASCII85, ZEROS] = [0x7e, 0x7a]

/** At most so many bytes come of it. */
function lengthOfAscii85(data: Uint8Array, limit: number): number {
  let length = 4
  for (const byte of data) length += byte === ZEROS ? 4 : 0.8
  if (length > limit + 8)
    throw new PdfError('too-complex', `a stream expands to more than ${limit} bytes`)
  return Math.ceil(length)
}

/**
 * The decoded bytes of RunLengthDecode.
 *
 * @throws {PdfError} `too-complex` above `limit` bytes
 * @see ISO 32000-2:2020, 7.4.5
 */
export function decodeRunLength(data: Uint8Array, limit: number): Uint8Array {
  const out: Uint8Array[] = []
  let total = 0
  for (let at = 0; at < data.length; ) {
    const length = data[at++]!
    if (length === 128) break
    const run =
      length < 128
        ? data.subarray(at, at + length + 1)
        : new Uint8Array(257 - length).fill(data[at] ?? 0)
    at += length < 128 ? length + 1 : 1
    out.push(run)
    total += run.length
    if (total > limit)
      throw new PdfError('too-complex', `a stream expands to more than ${limit} bytes`)
  }
  return new Uint8Array(Buffer.concat(out, total))
}
