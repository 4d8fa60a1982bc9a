import { hexDigit, isWhiteSpace } from '#server/domain/pdf/characters.ts'
import { PdfError } from '#server/domain/pdf/error.ts'

/** The decoded bytes of ASCIIHexDecode. @see ISO 32000-2:2020, 7.4.2 */
export function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const digits: number[] = []
  for (const byte of data) {
    if (byte === 0x3e) break
    const digit = hexDigit(byte)
    if (digit >= 0) digits.push(digit)
  }
  if (digits.length % 2 === 1) digits.push(0)
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) => {
    return (digits[2 * at]! << 4) | digits[2 * at + 1]!
  })
}

/** The decoded bytes of ASCII85Decode. @see ISO 32000-2:2020, 7.4.3 */
export function decodeAscii85(data: Uint8Array): Uint8Array {
  const out: number[] = []
  let group: number[] = []
  for (const byte of data) {
    if (byte === 0x7e) break
    if (isWhiteSpace(byte)) continue
    if (byte === 0x7a && group.length === 0) {
      out.push(0, 0, 0, 0)
      continue
    }
    if (byte < 0x21 || byte > 0x75) continue
    group.push(byte - 0x21)
    if (group.length === 5) {
      out.push(...fourBytes(group))
      group = []
    }
  }
  if (group.length > 1) {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5)
    out.push(...fourBytes(padded).slice(0, group.length - 1))
  }
  return Uint8Array.from(out)
}

function fourBytes(group: readonly number[]): number[] {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0) >>> 0
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
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
