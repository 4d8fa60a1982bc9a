import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'

/** The positions of the parts of the only signature of a file, and a function that replaces them. */
export type SignatureText = {
  text: string
  /** Of `/ByteRange [...]`, the array alone. */
  range: { start: number; end: number; numbers: number[] }
  /** Of the hexadecimal string, its brackets included. */
  contents: { start: number; end: number }
}

export function signatureText(file: Uint8Array): SignatureText {
  const text = textOf(file)
  const found = /\/ByteRange *(\[ *(\d+) +(\d+) +(\d+) +(\d+) *\])/.exec(text)
  if (!found) throw new Error('the file holds no signature')
  const start = found.index + found[0].length - found[1]!.length
  const from = text.indexOf('/Contents <', start) + '/Contents '.length
  return {
    text,
    range: { start, end: start + found[1]!.length, numbers: found.slice(2).map(Number) },
    contents: { start: from, end: text.indexOf('>', from) + 1 },
  }
}

/** The file with a stretch of it replaced; nothing moves while the replacement is not longer. */
export function overwritten(
  { text }: SignatureText,
  span: { start: number; end: number },
  replacement: string,
): Uint8Array {
  const padded = replacement.padEnd(span.end - span.start)
  return bytesOf(text.slice(0, span.start) + padded + text.slice(span.end))
}
