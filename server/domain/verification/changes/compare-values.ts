import { equalBytes } from '#server/domain/bytes.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  isRef,
  type PdfArray,
  type PdfDictionary,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'

/** The documents in which the two values stand. */
export type Sides = {
  readonly a: PdfDocument
  readonly b: PdfDocument
  /** Whether references to two objects, or a reference and a value, are the same when they hold the same. */
  readonly followsReferences: boolean
}

/**
 * Whether two values mean the same: `1.0` is `1`, the order of keys and the way a string is written do not
 * count, a key whose value is null is no key. References to one object are the same, whatever became of it.
 *
 * @throws {PdfError} when what a reference leads to cannot be read
 */
export function isSameValue(a: PdfObject, b: PdfObject, sides: Sides): boolean {
  if (isRef(a) || isRef(b)) return isSameReference(a, b, sides)
  if (typeof a === 'number' && typeof b === 'number') return isSameNumber(a, b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  switch (a.kind) {
    case 'name':
      return b.kind === 'name' && a.value === b.value
    case 'string':
      return b.kind === 'string' && equalBytes(a.bytes, b.bytes)
    case 'array':
      return b.kind === 'array' && isSameArray(a, b, sides)
    case 'dictionary':
      return b.kind === 'dictionary' && isSameDictionary(a, b, sides)
    case 'stream':
      return b.kind === 'stream' && isSameStream(a, b, sides)
  }
}

/** In parts of the number: what a float of 32 bits, in which many programs keep numbers, cannot tell apart. */
const PRECISION = 1e-6

/**
 * Programs write a page anew with as many digits as they keep: 595.303937007874 becomes 595.30398. Whole numbers
 * count, and refer: they are the same or not.
 *
 * @see ISO 32000-2:2020, annex C.1, about the precision of real numbers
 */
const isSameNumber = (a: number, b: number) =>
  a === b ||
  (!(Number.isInteger(a) && Number.isInteger(b)) &&
    Math.abs(a - b) <= PRECISION * Math.max(Math.abs(a), Math.abs(b)))

/** Followed one step only: documents are full of circles. */
function isSameReference(a: PdfObject, b: PdfObject, sides: Sides): boolean {
  if (isRef(a) && isRef(b) && a.number === b.number) return a.generation === b.generation
  if (!sides.followsReferences) return false
  const once = { ...sides, followsReferences: false }
  return isSameValue(sides.a.resolve(a), sides.b.resolve(b), once)
}

function isSameArray(a: PdfArray, b: PdfArray, sides: Sides): boolean {
  return (
    a.items.length === b.items.length &&
    a.items.every((item, at) => isSameValue(item, b.items[at]!, sides))
  )
}

function isSameDictionary(
  a: PdfDictionary,
  b: PdfDictionary,
  sides: Sides,
  ignored?: string,
): boolean {
  // Readers that take the first of two equal keys would see something else.
  if (String(a.repeatedKeys ?? '') !== String(b.repeatedKeys ?? '')) return false
  const isSame = (key: string) =>
    key === ignored || isSameValue(a.entries.get(key) ?? null, b.entries.get(key) ?? null, sides)
  for (const key of a.entries.keys()) if (!isSame(key)) return false
  for (const key of b.entries.keys()) if (!a.entries.has(key) && !isSame(key)) return false
  return true
}

function isSameStream(a: PdfStream, b: PdfStream, sides: Sides): boolean {
  return isSameDictionary(a.dictionary, b.dictionary, sides, 'Length') && isSameData(a, b, sides)
}

const PIECE = 1 << 20

/** Whether two streams have the same data, apart from how it is encrypted. */
export function isSameData(left: PdfStream, right: PdfStream, sides: Sides): boolean {
  // The same data is encrypted in another way each time.
  if (sides.a.isEncrypted || sides.b.isEncrypted)
    return equalBytes(sides.a.raw(left), sides.b.raw(right))
  const [a, b] = [left.data, right.data]
  const length = a.end - a.start
  if (length !== b.end - b.start) return false
  for (let at = 0; at < length; at += PIECE) {
    const end = Math.min(length, at + PIECE)
    const piece = sides.a.source.read(a.start + at, a.start + end)
    if (Buffer.compare(piece, sides.b.source.read(b.start + at, b.start + end)) !== 0) return false
  }
  return true
}
