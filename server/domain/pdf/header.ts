import type { ByteReader } from './byte-reader.ts'
import { PdfError } from './error.ts'

const HEADER_WINDOW = 1024
/** Mail gateways and downloads append blanks and pages of their own behind the end. */
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
  const tail = Math.max(0, bytes.length - TAIL_WINDOW)
  if (bytes.indexOf('startxref', tail, bytes.length) < 0)
    throw new PdfError('not-a-pdf', 'neither a header nor a startxref')
  return 0
}

/** The number after the last `startxref`; undefined when the file has none. */
export function lastStartXref(bytes: ByteReader): number | undefined {
  const found = bytes.lastIndexOf('startxref', bytes.length - TAIL_WINDOW, bytes.length)
  if (found < 0) return undefined
  let text = ''
  for (let at = found + 9; at < found + 40 && bytes.at(at) >= 0; at++)
    text += String.fromCharCode(bytes.at(at))
  const digits = /^\s*(\d{1,15})/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
