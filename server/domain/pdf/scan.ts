import type { ByteReader } from './byte-reader.ts'
import type { ReadingContext } from './chain.ts'
import { isDigit, isWhiteSpace } from './characters.ts'
import type { CrossReferenceEntry } from './cross-reference/cross-reference.ts'
import { EntryTable } from './cross-reference/entry-table.ts'
import { PdfError } from './error.ts'
import { decodeFilters } from './filters/decode.ts'
import { readIndirectObject } from './indirect-object.ts'
import { MAX_DECODED, MAX_ENTRIES } from './limits.ts'
import {
  dictionary,
  entriesOf,
  type IndirectObject,
  isDictionary,
  isNamed,
  isRef,
  isStream,
  type PdfDictionary,
  type PdfObject,
  type PdfStream,
  reference,
} from './object.ts'
import { objectStream } from './object-stream.ts'
import { readValue } from './parser.ts'

/** What a file holds, found by looking through all of it instead of trusting its cross-reference. */
export type Scan = {
  /** The last definition of each object. */
  readonly entries: ReadonlyMap<number, CrossReferenceEntry>
  readonly trailer: PdfDictionary
}

/**
 * Looks for objects from the first byte to the last, as readers do with a damaged file.
 *
 * @param raw the data of a stream before its filters, in the clear
 * @throws {PdfError} `damaged` when no catalog is found, `too-complex`
 */
export function scanFile(context: ReadingContext, raw = storedIn(context)): Scan {
  const entries = new EntryTable()
  let trailer: PdfDictionary | undefined
  let catalog: number | undefined
  for (const object of scannedObjects(context)) {
    const { number, generation, value, span } = object
    entries.set(number, { kind: 'offset', offset: span!.start, generation })
    if (entries.size > MAX_ENTRIES) throw new PdfError('too-complex', 'too many objects')
    const type = entriesOf(value).get('Type')
    if (isNamed(type, 'Catalog')) catalog = number
    if (!isStream(value)) continue
    if (isNamed(type, 'XRef') && isRef(value.dictionary.entries.get('Root')))
      trailer = value.dictionary
    if (isNamed(type, 'ObjStm')) {
      const members = membersOf(context, value, raw)
      members.forEach((member, index) => {
        entries.set(member, { kind: 'compressed', stream: number, index })
      })
    }
  }
  trailer = lastTrailer(context) ?? trailer
  if (trailer) return { entries, trailer }
  if (catalog === undefined) throw new PdfError('damaged', 'no catalog in the whole file')
  return { entries, trailer: dictionary({ Root: reference(catalog) }) }
}

function* scannedObjects({ bytes, meter }: ReadingContext): Generator<IndirectObject> {
  const direct = (value: PdfObject | undefined) => (isRef(value) ? null : (value ?? null))
  for (let at = 0; ; ) {
    const found = bytes.indexOf('obj', at, bytes.length)
    if (found < 0) return
    meter.spend(16)
    at = found + 3
    const start = headerStart(bytes, found)
    if (start === undefined) continue
    const object = tryReading(() => readIndirectObject({ bytes, position: start }, direct, meter))
    if (!object) continue
    yield object
    // What lies inside a stream is no object of this file.
    at = Math.max(at, isStream(object.value) ? object.value.data.end : at)
  }
}

/** Where `17 0 obj` begins, given where its `obj` does. */
export function headerStart(bytes: ByteReader, keyword: number): number | undefined {
  const afterGeneration = back(bytes, keyword, isWhiteSpace)
  const generation = back(bytes, afterGeneration, isDigit)
  const afterNumber = back(bytes, generation, isWhiteSpace)
  const number = back(bytes, afterNumber, isDigit)
  const isHeader = generation < afterGeneration && afterNumber < generation && number < afterNumber
  return isHeader ? number : undefined
}

function back(bytes: ByteReader, from: number, isPart: (byte: number) => boolean): number {
  let at = from
  while (at > 0 && from - at < 32 && isPart(bytes.at(at - 1))) at--
  return at
}

const storedIn =
  ({ source }: ReadingContext) =>
  ({ data }: PdfStream): Uint8Array =>
    source.read(data.start, data.end)

function membersOf(
  { meter }: ReadingContext,
  stream: PdfStream,
  raw: (stream: PdfStream) => Uint8Array,
): readonly number[] {
  const { dictionary } = stream
  const direct = (value: PdfObject | undefined) => (isRef(value) ? null : (value ?? null))
  meter.spend(stream.data.end - stream.data.start)
  const data = tryReading(() => decodeFilters(raw(stream), dictionary, direct, MAX_DECODED))
  if (!data) return []
  meter.spend(data.length >> 2)
  return tryReading(() => objectStream(data, dictionary.entries, meter).numbers) ?? []
}

/** The last `trailer` that names a catalog. */
function lastTrailer({ bytes, meter }: ReadingContext): PdfDictionary | undefined {
  for (let end = bytes.length; ; ) {
    const found = bytes.lastIndexOf('trailer', 0, end)
    if (found < 0) return undefined
    meter.spend(1024)
    const value = tryReading(() => readValue({ bytes, position: found + 7 }, 'file'))
    if (isDictionary(value) && isRef(value.entries.get('Root'))) return value
    end = found
  }
}

/** Undefined for what cannot be read; the meter still ends a file that asks for too much. */
function tryReading<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
