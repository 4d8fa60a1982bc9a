import { type ByteSource, equalBytes, type Span } from '#server/domain/bytes.ts'
import type { PdfArray, PdfDictionary, PdfObject, PdfStream } from '#server/domain/pdf/object.ts'

/**
 * Whether two values mean the same: `1.0` is `1`, the order of keys and the way a string is written do not
 * count, a key whose value is null is no key. References are equal when they name the same object.
 *
 * @param sources the files in which the data of streams lies
 */
export function isSameValue(
  a: PdfObject,
  b: PdfObject,
  sources: { a: ByteSource; b: ByteSource },
): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  switch (a.kind) {
    case 'name':
      return b.kind === 'name' && a.value === b.value
    case 'string':
      return b.kind === 'string' && equalBytes(a.bytes, b.bytes)
    case 'ref':
      return b.kind === 'ref' && a.number === b.number && a.generation === b.generation
    case 'array':
      return b.kind === 'array' && isSameArray(a, b, sources)
    case 'dictionary':
      return b.kind === 'dictionary' && isSameDictionary(a, b, sources)
    case 'stream':
      return b.kind === 'stream' && isSameStream(a, b, sources)
  }
}

function isSameArray(a: PdfArray, b: PdfArray, sources: { a: ByteSource; b: ByteSource }): boolean {
  return (
    a.items.length === b.items.length &&
    a.items.every((item, at) => isSameValue(item, b.items[at]!, sources))
  )
}

function isSameDictionary(
  a: PdfDictionary,
  b: PdfDictionary,
  sources: { a: ByteSource; b: ByteSource },
  ignored?: string,
): boolean {
  const keys = new Set([...a.entries.keys(), ...b.entries.keys()])
  if (ignored) keys.delete(ignored)
  // Readers that take the first of two equal keys would see something else.
  if (String(a.repeatedKeys ?? '') !== String(b.repeatedKeys ?? '')) return false
  return [...keys].every((key) =>
    isSameValue(a.entries.get(key) ?? null, b.entries.get(key) ?? null, sources),
  )
}

function isSameStream(
  a: PdfStream,
  b: PdfStream,
  sources: { a: ByteSource; b: ByteSource },
): boolean {
  return (
    isSameDictionary(a.dictionary, b.dictionary, sources, 'Length') &&
    isSameData(a.data, b.data, sources)
  )
}

const PIECE = 1 << 20

function isSameData(a: Span, b: Span, sources: { a: ByteSource; b: ByteSource }): boolean {
  const length = a.end - a.start
  if (length !== b.end - b.start) return false
  for (let at = 0; at < length; at += PIECE) {
    const end = Math.min(length, at + PIECE)
    const left = sources.a.read(a.start + at, a.start + end)
    if (Buffer.compare(left, sources.b.read(b.start + at, b.start + end)) !== 0) return false
  }
  return true
}
