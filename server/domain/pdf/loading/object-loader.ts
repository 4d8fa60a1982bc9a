import type { ReadingContext } from '#server/domain/pdf/chain.ts'
import type { CrossReferenceEntry } from '#server/domain/pdf/cross-reference/cross-reference.ts'
import { withPlainStrings } from '#server/domain/pdf/encryption/decrypt-strings.ts'
import type { Decryption } from '#server/domain/pdf/encryption/decryption.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { decodeFilters } from '#server/domain/pdf/filters/decode.ts'
import { acceptObjectHeader, readIndirectObject } from '#server/domain/pdf/indirect-object.ts'
import { type Cursor, skipWhiteSpace } from '#server/domain/pdf/lexer.ts'
import { MAX_DECODED } from '#server/domain/pdf/limits.ts'
import {
  type IndirectObject,
  isRef,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { type ObjectStream, objectStream } from '#server/domain/pdf/object-stream.ts'
import { scanFile } from '#server/domain/pdf/scan.ts'
import { objectCache } from './object-cache.ts'
import { Weigher } from './weight.ts'

const MAX_CACHED_STREAM_BYTES = 64 << 20
const MAX_REFERENCES = 32
/** In bytes looked at: what lies in a circle is read anew each time. */
const COST_OF_CIRCLE = 4096

/** Reads objects when they are asked for, and keeps the last ones. */
export type ObjectLoader = {
  object(number: number): IndirectObject | undefined
  resolve(value: PdfObject | undefined): PdfObject
  raw(stream: PdfStream): Uint8Array
  decoded(stream: PdfStream, limit?: number): Uint8Array
  members(container: number): readonly number[]
  /** An object was not where its entry says and had to be searched for. */
  hasRepaired(): boolean
  /** Numbers of the objects read so far that were not where their entries say and stand elsewhere. */
  readonly misplaced: ReadonlySet<number>
  /** Of what was read so far, readers could take one thing or another. */
  isAmbiguous(): boolean
}

/** How the strings and streams of a file are encrypted, if they are. */
export type Encryption =
  | { readonly kind: 'none' }
  /** They cannot be read without a password. */
  | { readonly kind: 'locked' }
  /** `exempt`: the object that says how, and is itself in the clear. */
  | { readonly kind: 'open'; readonly decryption: Decryption; readonly exempt: number | undefined }

export function objectLoader(
  context: ReadingContext,
  entries: ReadonlyMap<number, CrossReferenceEntry>,
  encryption: Encryption,
): ObjectLoader {
  const { source, bytes, meter } = context
  const objects = objectCache()
  const streams = new Map<number, ObjectStream>()
  const weigher = new Weigher()
  /** Outermost first. */
  const loading: number[] = []
  /** The place in `loading` of the outermost object that an object inside of it needed and could not have. */
  let needed = Number.POSITIVE_INFINITY
  let cachedStreamBytes = 0
  let scanned: ReadonlyMap<number, CrossReferenceEntry> | undefined
  const misplaced = new Set<number>()
  let repeatsKeys = false

  function object(number: number): IndirectObject | undefined {
    const cached = objects.get(number)
    if (cached) return cached.object
    const place = loading.indexOf(number)
    if (place < 0) return loadedObject(number)
    // A /Length or an object stream that needs itself.
    needed = Math.min(needed, place)
    return undefined
  }

  function loadedObject(number: number): IndirectObject | undefined {
    if (loading.length === 0) needed = Number.POSITIVE_INFINITY
    loading.push(number)
    try {
      const loaded = load(number)
      const weight = weigher.weigh(loaded?.value ?? null)
      repeatsKeys ||= weight.repeatsKeys
      if (needed >= loading.length - 1) {
        needed = Number.POSITIVE_INFINITY
        objects.set(number, loaded, weight.bytes)
        // Read outside of the circle, it may be another one.
      } else meter.spend(COST_OF_CIRCLE)
      return loaded
    } finally {
      loading.pop()
    }
  }

  function load(number: number): IndirectObject | undefined {
    const entry = entries.get(number)
    if (!entry || entry.kind === 'free') return undefined
    const found = tryEntry(number, entry)
    if (found) return found
    scanned ??= scanOrNothing(context, raw)
    const elsewhere = scanned.get(number)
    const mended = elsewhere && tryEntry(number, elsewhere)
    if (mended) misplaced.add(number)
    return mended
  }

  /** Undefined when the object is not where the entry says. */
  function tryEntry(number: number, entry: CrossReferenceEntry): IndirectObject | undefined {
    try {
      if (entry.kind === 'compressed') return compressed(number, entry.stream, entry.index)
      if (entry.kind === 'free') return undefined
      const cursor: Cursor = { bytes, position: entry.offset }
      skipWhiteSpace(cursor)
      const header = acceptObjectHeader({ bytes, position: cursor.position })
      return header?.number === number
        ? inTheClear(readIndirectObject(cursor, resolve, meter))
        : undefined
    } catch (error) {
      if (error instanceof PdfError && error.code === 'damaged') return undefined
      throw error
    }
  }

  /** What lies in an object stream was encrypted with it and does not come here. */
  function inTheClear(object: IndirectObject): IndirectObject {
    if (encryption.kind !== 'open' || object.number === encryption.exempt) return object
    const { decryption } = encryption
    const plain = (bytes: Uint8Array) => decryption.string(bytes, object)
    return { ...object, value: withPlainStrings(object.value, plain) }
  }

  function compressed(number: number, stream: number, index: number): IndirectObject | undefined {
    const members = membersOf(stream)
    const at = members.numbers[index] === number ? index : members.numbers.indexOf(number)
    if (at < 0) return undefined
    return { number, generation: 0, value: members.value(at) }
  }

  function membersOf(number: number): ObjectStream {
    const cached = streams.get(number)
    if (cached) return cached
    const stream = entries.get(number)?.kind === 'compressed' ? null : object(number)?.value
    if (!isStream(stream ?? null)) throw new PdfError('damaged', `no object stream ${number}`)
    const { dictionary } = stream as PdfStream
    const members = objectStream(
      decoded(stream as PdfStream),
      directEntries(dictionary.entries),
      meter,
    )
    if (needed < loading.length) return members
    cachedStreamBytes += members.size
    if (cachedStreamBytes > MAX_CACHED_STREAM_BYTES) {
      streams.clear()
      cachedStreamBytes = members.size
    }
    streams.set(number, members)
    return members
  }

  const directEntries = (own: ReadonlyMap<string, PdfObject>) =>
    new Map(['N', 'First'].map((key) => [key, resolve(own.get(key))]))

  function resolve(value: PdfObject | undefined): PdfObject {
    let current = value ?? null
    for (let steps = 0; isRef(current); steps++) {
      if (steps > MAX_REFERENCES) throw new PdfError('damaged', 'references lead in a circle')
      current = object(current.number)?.value ?? null
    }
    return current
  }

  function raw(stream: PdfStream): Uint8Array {
    if (encryption.kind === 'locked') throw new PdfError('encrypted', 'the stream is encrypted')
    meter.spend(stream.data.end - stream.data.start)
    const stored = source.read(stream.data.start, stream.data.end)
    if (encryption.kind === 'none') return stored
    return encryption.decryption.stream(stored, stream.dictionary, stream.owner)
  }

  function decoded(stream: PdfStream, limit = MAX_DECODED): Uint8Array {
    const data = decodeFilters(raw(stream), stream.dictionary, resolve, limit)
    meter.spend(data.length >> 2)
    return data
  }

  return {
    object,
    resolve,
    raw,
    decoded,
    members: (container) => membersOf(container).numbers,
    misplaced,
    hasRepaired: () => scanned !== undefined,
    isAmbiguous: () => repeatsKeys,
  }
}

function scanOrNothing(
  context: ReadingContext,
  raw: (stream: PdfStream) => Uint8Array,
): ReadonlyMap<number, CrossReferenceEntry> {
  try {
    return scanFile(context, raw).entries
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return new Map()
    throw error
  }
}
