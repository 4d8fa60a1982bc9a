import { concatBytes } from '#server/domain/bytes.ts'
import type { ByteReader } from './byte-reader.ts'
import { hexDigit, isDigit, isEndOfLine, isRegular, isWhiteSpace, latin1 } from './characters.ts'
import { PdfError } from './error.ts'
import { MAX_STRING } from './limits.ts'

/** A place in a file from which values are read, moving forward. */
export type Cursor = { readonly bytes: ByteReader; position: number }

/** Moves over white space and comments. */
export function skipWhiteSpace(cursor: Cursor): void {
  const { bytes } = cursor
  let at = cursor.position
  for (;;) {
    const byte = bytes.at(at)
    if (isWhiteSpace(byte)) at++
    else if (byte === 0x25) at = behindComment(bytes, at)
    else break
  }
  cursor.position = at
}

function behindComment(bytes: ByteReader, start: number): number {
  for (let at = start; ; at++) {
    const byte = bytes.at(at)
    if (byte < 0 || isEndOfLine(byte)) return at
  }
}

/** The run of regular characters at the cursor, one character a byte; empty at a delimiter. */
export function readRegular(cursor: Cursor): string {
  const { bytes } = cursor
  const start = cursor.position
  let sum = 0
  let at = start
  for (let byte = bytes.at(at); isRegular(byte); byte = bytes.at(at)) {
    sum = (sum * 31 + byte) | 0
    at++
    if (at - start > MAX_STRING) throw new PdfError('too-complex', 'a token without end')
  }
  cursor.position = at
  return wordAt(bytes, start, at, sum)
}

/** Words that were read lately, each at the place that its sum gives: files repeat few words very often. */
const WORDS: string[] = Array.from({ length: 1024 }, () => '')
const LONGEST_WORD = 32

/** The same string for the same bytes, where possible: each string of its own takes memory. */
function wordAt(bytes: ByteReader, start: number, end: number, sum: number): string {
  if (end - start > LONGEST_WORD) return latin1(bytes.read(start, end))
  const place = sum & (WORDS.length - 1)
  const known = WORDS[place]!
  if (isWordAt(known, bytes, start, end)) return known
  let word = ''
  for (let at = start; at < end; at++) word += String.fromCharCode(bytes.at(at))
  WORDS[place] = word
  return word
}

function isWordAt(word: string, bytes: ByteReader, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let at = start; at < end; at++)
    if (word.charCodeAt(at - start) !== bytes.at(at)) return false
  return true
}

/** Reads `keyword` and moves behind it, or stays and returns false. White space before it is skipped. */
export function acceptKeyword(cursor: Cursor, keyword: string): boolean {
  const start = cursor.position
  skipWhiteSpace(cursor)
  for (let index = 0; index < keyword.length; index++) {
    if (cursor.bytes.at(cursor.position + index) !== keyword.charCodeAt(index)) {
      cursor.position = start
      return false
    }
  }
  cursor.position += keyword.length
  return true
}

/** Reads an unsigned integer and moves behind it, or stays and returns undefined. */
export function acceptInteger(cursor: Cursor): number | undefined {
  const start = cursor.position
  skipWhiteSpace(cursor)
  const { bytes, position: first } = cursor
  let value = 0
  let at = first
  for (let byte = bytes.at(at); isDigit(byte); byte = bytes.at(at)) {
    value = value * 10 + byte - 0x30
    at++
  }
  const isNumber = at > first && at - first < 16
  cursor.position = isNumber ? at : start
  return isNumber ? value : undefined
}

/** The name after the solidus at the cursor. */
export function readName(cursor: Cursor): string {
  cursor.position++
  const raw = readRegular(cursor)
  return raw.includes('#')
    ? raw.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : raw
}

/**
 * The number that a run of regular characters means; undefined when it is none.
 * Doubled signs and a lone point are read as other readers read them.
 */
export function numberFrom(text: string): number | undefined {
  if (/^[+-]?\d+$/.test(text)) return Number(text) + 0
  const match = /^([+-]*)(\d*)(?:\.(\d*))?(?:-\d*)?$/.exec(text)
  if (!match || text === '') return undefined
  const value = Number(`${match[2] || '0'}.${match[3] || '0'}`)
  return (match[1]?.startsWith('-') ? -value : value) + 0
}

/** The bytes of the hexadecimal string at the cursor; an odd last digit is followed by 0. */
export function readHexString(cursor: Cursor): Uint8Array {
  return readPlainHexString(cursor) ?? readAnyHexString(cursor)
}

const [FIRST_WINDOW, LARGEST_WINDOW] = [256, 32 << 10]

/**
 * One of pairs of digits alone, as signatures are written, which the runtime reads much faster; undefined for any
 * other. It looks no further than there are digits.
 */
function readPlainHexString(cursor: Cursor): Uint8Array | undefined {
  const { bytes } = cursor
  const start = cursor.position + 1
  const parts: Uint8Array[] = []
  let at = start
  for (
    let size = FIRST_WINDOW;
    at - start <= MAX_STRING;
    size = Math.min(size * 4, LARGEST_WINDOW)
  ) {
    const window = bytes.read(at, Math.min(bytes.length, at + size))
    // It stops at the first character that is no digit, without a word.
    const decoded = Buffer.from(latin1(window), 'hex')
    parts.push(decoded)
    at += 2 * decoded.length
    if (2 * decoded.length < window.length || window.length === 0) break
  }
  if (bytes.at(at) !== 0x3e) return undefined
  cursor.position = at + 1
  return concatBytes(...parts)
}

function readAnyHexString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor
  const out = growingBytes()
  cursor.position++
  let high = -1
  for (;;) {
    const byte = bytes.at(cursor.position++)
    if (byte < 0) throw new PdfError('damaged', 'a hexadecimal string without end')
    if (byte === 0x3e) break
    const digit = hexDigit(byte)
    if (digit < 0) continue
    if (high < 0) high = digit
    else {
      out.push((high << 4) | digit)
      high = -1
    }
  }
  if (high >= 0) out.push(high << 4)
  return out.bytes()
}

const ESCAPES = new Map(
  [...'nrtbf'].map((letter, at) => [letter.charCodeAt(0), [10, 13, 9, 8, 12][at]!]),
)

/** The bytes of the literal string at the cursor. @see ISO 32000-2:2020, 7.3.4.2 */
export function readLiteralString(cursor: Cursor): Uint8Array {
  return readPlainLiteralString(cursor) ?? readAnyLiteralString(cursor)
}

/** Looked at byte by byte: to ask for a stretch takes longer. */
const SHORT = 256

/** One without brackets, line ends and escapes, as most are, which costs no buffer; undefined for any other. */
function readPlainLiteralString(cursor: Cursor): Uint8Array | undefined {
  const { bytes } = cursor
  const start = cursor.position + 1
  for (let at = start; at < start + SHORT; at++) {
    const byte = bytes.at(at)
    if (byte === 0x29) {
      cursor.position = at + 1
      const copy = new Uint8Array(at - start)
      for (let place = 0; place < copy.length; place++) copy[place] = bytes.at(start + place)
      return copy
    }
    if (byte < 0 || NOT_PLAIN.includes(byte)) return undefined
  }
  return readLongPlainString(cursor, start)
}

/** A backslash, an opening bracket, a line end of two bytes. */
const NOT_PLAIN: readonly number[] = [0x5c, 0x28, 0x0d]

/** The runtime searches much faster than we do. */
function readLongPlainString(cursor: Cursor, start: number): Uint8Array | undefined {
  const { bytes } = cursor
  const end = bytes.indexOf(')', start + SHORT, Math.min(bytes.length, start + MAX_STRING))
  if (end < 0) return undefined
  const written = bytes.read(start, end)
  if (NOT_PLAIN.some((byte) => written.includes(byte))) return undefined
  cursor.position = end + 1
  return new Uint8Array(written)
}

function readAnyLiteralString(cursor: Cursor): Uint8Array {
  const { bytes } = cursor
  const out = growingBytes()
  cursor.position++
  for (let depth = 1; ; ) {
    const byte = bytes.at(cursor.position++)
    if (byte < 0) throw new PdfError('damaged', 'a string without end')
    if (byte === 0x5c) readEscape(cursor, out.push)
    else if (byte === 0x0d) {
      if (bytes.at(cursor.position) === 0x0a) cursor.position++
      out.push(0x0a)
    } else {
      if (byte === 0x28) depth++
      if (byte === 0x29 && --depth === 0) return out.bytes()
      out.push(byte)
    }
  }
}

function readEscape(cursor: Cursor, push: (byte: number) => void): void {
  const { bytes } = cursor
  const byte = bytes.at(cursor.position++)
  if (byte === 0x0d) {
    if (bytes.at(cursor.position) === 0x0a) cursor.position++
    return
  }
  if (byte === 0x0a) return
  if (byte < 0x30 || byte > 0x37) {
    if (byte >= 0) push(ESCAPES.get(byte) ?? byte)
    return
  }
  let value = byte - 0x30
  for (let digits = 1; digits < 3; digits++) {
    const next = bytes.at(cursor.position)
    if (next < 0x30 || next > 0x37) break
    value = value * 8 + next - 0x30
    cursor.position++
  }
  push(value & 0xff)
}

function growingBytes() {
  let buffer = new Uint8Array(64)
  let length = 0
  return {
    push(byte: number) {
      if (length === buffer.length) {
        if (length >= MAX_STRING) throw new PdfError('too-complex', 'a string without end')
        const larger = new Uint8Array(length * 2)
        larger.set(buffer)
        buffer = larger
      }
      buffer[length++] = byte
    },
    bytes: () => buffer.slice(0, length),
  }
}
