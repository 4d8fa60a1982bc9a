import type { ByteReader } from './byte-reader.ts'
import { isWhiteSpace } from './characters.ts'
import { PdfError } from './error.ts'

const HEADER_WINDOW = 1024
/** Mail gateways and downloads append blanks and pages of their own after the end. */
const TAIL_WINDOW = 64 << 10

/**
 * Where `%PDF-` stands; 0 for a file without a header that still ends like a PDF, as readers open it.
 *
 * @throws {PdfError} `not-a-pdf`
 * @see ISO 32000-2:2020, 7.5.2
 */
export function headerOffset(bytes: ByteReader): number {
  const found = bytes.indexOf('%PDF-', 0, HEADER_WINDOW)
  if (found >= 0) return found
  const end = endOfText(bytes)
  if (bytes.indexOf('startxref', Math.max(0, end - TAIL_WINDOW), end) < 0)
    throw new PdfError('not-a-pdf', 'neither a header nor a startxref')
  return 0
}

/** Where the padding begins that follows the last byte of a file: zeros and blanks, as many as there are. */
export function endOfText(bytes: ByteReader): number {
  for (let end = bytes.length; end > 0; end -= PIECE) {
    const start = Math.max(0, end - PIECE)
    const last = bytes.read(start, end).findLastIndex((byte) => !isWhiteSpace(byte))
    if (last >= 0) return start + last + 1
  }
  return 0
}

const PIECE = 32 << 10

/** The number after the last `startxref`; undefined when the file has none. */
export function lastStartXref(bytes: ByteReader): number | undefined {
  const end = endOfText(bytes)
  const found = bytes.lastIndexOf('startxref', end - TAIL_WINDOW, end)
  if (found < 0) return undefined
  let text = ''
  for (let at = found + 9; at < found + 40 && bytes.at(at) >= 0; at++)
    text += String.fromCharCode(bytes.at(at))
  const digits = /^\s*(\d{1,15})/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
