import { memorySource, type Span } from '#server/domain/bytes.ts'
import { byteReader } from './byte-reader.ts'
import { fromLatin1 } from './characters.ts'
import type { AppendedBytes } from './incremental-update.ts'
import { readIndirectObject } from './indirect-object.ts'
import { workMeter } from './limits.ts'
import {
  array,
  byteString,
  entriesOf,
  isArray,
  isString,
  type PdfArray,
  type PdfRef,
} from './object.ts'

/** As many digits as the length of a file of ten gigabytes has. */
const DIGITS = 10
const WIDEST = 10 ** DIGITS - 1

/** A /ByteRange with room for any offset. */
export const byteRangePlaceholder = (): PdfArray => array([0, WIDEST, WIDEST, WIDEST])

/** A /Contents of zeros with room for `size` bytes. */
export const contentsPlaceholder = (size: number) => byteString(new Uint8Array(size), 'hexadecimal')

export type FilledPlaceholder = {
  /** What is appended, with its /ByteRange filled in and a /Contents of zeros. */
  readonly bytes: Uint8Array
  /** The hex string of /Contents with its brackets, counted from the start of the whole file. */
  readonly contents: Span
  readonly byteRange: readonly [number, number, number, number]
}

/**
 * Writes the final /ByteRange over its placeholder; no other byte changes.
 *
 * @param signature the signature dictionary that `addSignatureField` made
 * @throws {RangeError} if the update holds no such placeholder: a mistake of the caller
 * @see ISO 32000-2:2020, 12.8.1
 */
export function fillByteRange(appended: AppendedBytes, signature: PdfRef): FilledPlaceholder {
  const { baseLength, objects } = appended
  const object = objects.get(signature.number)
  if (!object) throw new RangeError(`object ${signature.number} is not part of the update`)
  const places = placeholdersIn(appended.bytes, object.start - baseLength)

  const contents = {
    start: places.contents.start + baseLength,
    end: places.contents.end + baseLength,
  }
  const fileLength = baseLength + appended.bytes.length
  const byteRange = [0, contents.start, contents.end, fileLength - contents.end] as const
  const bytes = appended.bytes.slice()
  const width = places.byteRange.end - places.byteRange.start
  const text = `[${byteRange.join(' ')}`.padEnd(width - 1)
  bytes.set(fromLatin1(`${text}]`), places.byteRange.start)
  return { bytes, contents, byteRange }
}

function placeholdersIn(bytes: Uint8Array, position: number) {
  const reader = byteReader(memorySource(bytes))
  const { value } = readIndirectObject(
    { bytes: reader, position },
    (length) => length,
    workMeter(bytes.length),
  )
  const contents = entriesOf(value).get('Contents')
  const byteRange = entriesOf(value).get('ByteRange')
  if (!isString(contents) || !contents.span || !isArray(byteRange) || !byteRange.span)
    throw new RangeError('the object is no signature dictionary with placeholders')
  return { contents: contents.span, byteRange: byteRange.span }
}
