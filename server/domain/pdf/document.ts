import type { ByteSource } from '#server/domain/bytes.ts'
import { type ByteReader, byteReader } from './byte-reader.ts'
import { type ReadingContext, readChain } from './chain.ts'
import { type CrossReferenceEntry, overlaid } from './cross-reference/cross-reference.ts'
import { decryptionOf } from './encryption/decryption.ts'
import { PdfError } from './error.ts'
import { headerOffset, lastStartXref } from './header.ts'
import { type WorkMeter, workMeter } from './limits.ts'
import { type Encryption, objectLoader } from './loading/object-loader.ts'
import {
  entriesOf,
  type IndirectObject,
  isDictionary,
  isRef,
  type PdfDictionary,
  type PdfObject,
  type PdfStream,
} from './object.ts'
import { onceAbout } from './once.ts'
import { type Revision, revisionsOf } from './revision.ts'
import { type Scan, scanFile } from './scan.ts'

/** A PDF as it stands at one of its revisions. Objects are read when they are asked for. */
export type PdfDocument = {
  readonly source: ByteSource
  readonly bytes: ByteReader
  readonly meter: WorkMeter
  /** What the offsets inside the file count from: 0, or the place of a header that junk precedes. */
  readonly base: number
  /** Oldest first; the last one is what this document shows. One only when the file had to be scanned. */
  readonly revisions: readonly Revision[]
  readonly trailer: PdfDictionary
  /** The catalog; empty when a locked file hides it. */
  readonly catalog: PdfDictionary
  readonly isEncrypted: boolean
  /** Encrypted, and the empty password does not open it: strings and streams cannot be read. */
  readonly isLocked: boolean
  /** The cross-reference is of no use: everything was found by scanning. */
  readonly isRebuilt: boolean
  /** Something was not where the file says; may turn true while objects are read. */
  readonly isRepaired: boolean
  /** Objects that were not where the file says and were found elsewhere; grows while objects are read. */
  readonly misplaced: ReadonlySet<number>
  /**
   * Readers could see two documents: an object or a key is defined twice, and which one counts depends on who
   * reads. May turn true while objects are read.
   */
  readonly isAmbiguous: boolean
  /** Numbers of all objects in use, ascending. */
  readonly objectNumbers: readonly number[]
  entry(number: number): CrossReferenceEntry | undefined
  /** @throws {PdfError} `damaged`, `too-complex`, `encrypted` */
  object(number: number): IndirectObject | undefined
  /**
   * The value itself, or what its reference leads to; null for nothing.
   *
   * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
   */
  resolve(value: PdfObject | undefined): PdfObject
  /**
   * The data of a stream before its filters, in the clear.
   *
   * @throws {PdfError} `too-complex`, `encrypted`
   */
  raw(stream: PdfStream): Uint8Array
  /**
   * The data of a stream after its filters, at most `limit` bytes.
   *
   * @throws {PdfError} `damaged`, `too-complex`, `encrypted`
   */
  decoded(stream: PdfStream, limit?: number): Uint8Array
  /**
   * The numbers of the objects in an object stream, in their order.
   *
   * @throws {PdfError} `damaged` when it is none, `too-complex`, `encrypted`
   */
  members(container: number): readonly number[]
  /** What a function says about this document, computed once. */
  once<T>(compute: (document: PdfDocument) => T): T
  /** The document as it stood at an earlier revision. */
  at(revisionIndex: number): PdfDocument
  /** The same file as a program reads it that finds its objects elsewhere. */
  readBy(entries: ReadonlyMap<number, CrossReferenceEntry>): PdfDocument
}

/**
 * The latest state of a file.
 *
 * @throws {PdfError}
 */
export function readDocument(source: ByteSource): PdfDocument {
  const bytes = byteReader(source)
  const header = headerOffset(bytes)
  const stated = lastStartXref(bytes)
  const startingAt = (base: number, hasTwoOrigins = false) =>
    stated === undefined
      ? undefined
      : tryChain({ source, bytes, base, meter: workMeter(source.length) }, stated, hasTwoOrigins)
  // Offsets count from the header in what producers write, from the first byte in what mail gateways break.
  const fromFirstByte = header > 0 ? startingAt(0) : undefined
  const document = startingAt(header, fromFirstByte?.isRepaired === false) ?? fromFirstByte
  if (document) return document
  return scannedDocument({ source, bytes, base: header, meter: workMeter(source.length) })
}

/** @param hasTwoOrigins counting offsets in another way leads to a whole document too */
function tryChain(
  context: ReadingContext,
  start: number,
  hasTwoOrigins: boolean,
): PdfDocument | undefined {
  try {
    const { sections, isShifted } = readChain(context, start)
    const document = documentOf(context, revisionsOf(context.bytes, sections), {
      isShifted,
      hasTwoOrigins,
    })
    return document.isLocked || document.catalog.entries.size > 0 ? document : undefined
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

function scannedDocument(context: ReadingContext): PdfDocument {
  const { entries, trailer } = scanInTheClear(context)
  const end = context.source.length
  const revision: Revision = {
    index: 0,
    offset: end,
    kind: 'stream',
    isContradictory: trailer.repeatedKeys !== undefined,
    trailer,
    sections: [],
    entries,
    defines: new Set(entries.keys()),
    frees: new Set(),
    markerEnd: end,
    end,
  }
  const document = documentOf(context, [revision], { isShifted: true, isRebuilt: true })
  if (!document.isLocked && document.catalog.entries.size === 0)
    throw new PdfError('damaged', 'no catalog can be read')
  return document
}

/** What an encrypted file says about its encryption is in the clear, and opens its object streams. */
function scanInTheClear(context: ReadingContext): Scan {
  const scan = scanFile(context)
  const encryption = encryptionOf(context, scan.entries, scan.trailer)
  if (encryption.kind !== 'open') return scan
  return scanFile(context, objectLoader(context, scan.entries, encryption).raw)
}

function documentOf(
  context: ReadingContext,
  revisions: readonly Revision[],
  { isShifted = false, isRebuilt = false, hasTwoOrigins = false },
  entries = overlaid(revisions.map((revision) => revision.entries)),
): PdfDocument {
  const trailer = revisions.findLast(({ trailer: own }) => own.entries.has('Root'))?.trailer
  if (!trailer) throw new PdfError('damaged', 'no trailer names a catalog')
  const encryption = encryptionOf(context, entries, trailer)
  const loader = objectLoader(context, entries, encryption)
  let numbers: readonly number[] | undefined
  const once = onceAbout<PdfDocument>()
  return {
    source: context.source,
    bytes: context.bytes,
    meter: context.meter,
    base: context.base,
    revisions,
    trailer,
    catalog: catalogOf(loader.resolve, trailer, encryption.kind === 'locked'),
    misplaced: loader.misplaced,
    isEncrypted: encryption.kind !== 'none',
    isLocked: encryption.kind === 'locked',
    isRebuilt,
    get isRepaired() {
      return isShifted || loader.hasRepaired()
    },
    get isAmbiguous() {
      return (
        hasTwoOrigins ||
        revisions.some(({ isContradictory }) => isContradictory) ||
        loader.isAmbiguous()
      )
    },
    get objectNumbers() {
      numbers ??= numbersInUse(entries)
      return numbers
    },
    entry: (number) => entries.get(number),
    object: loader.object,
    resolve: loader.resolve,
    raw: loader.raw,
    decoded: loader.decoded,
    members: loader.members,
    once(compute) {
      return once(this, compute)
    },
    readBy: (others) => documentOf(context, revisions, { isShifted, isRebuilt }, others),
    at: (index) => documentOf(context, revisions.slice(0, index + 1), { isShifted, isRebuilt }),
  }
}

/** What /Encrypt says is read as it is stored: nothing of it is encrypted. */
function encryptionOf(
  context: ReadingContext,
  entries: ReadonlyMap<number, CrossReferenceEntry>,
  trailer: PdfDictionary,
): Encryption {
  const written = trailer.entries.get('Encrypt') ?? null
  if (written === null) return { kind: 'none' }
  const { resolve } = objectLoader(context, entries, { kind: 'none' })
  try {
    const dictionary = resolve(written)
    const decryption = isDictionary(dictionary)
      ? decryptionOf(dictionary, trailer, resolve)
      : undefined
    if (!decryption) return { kind: 'locked' }
    return { kind: 'open', decryption, exempt: isRef(written) ? written.number : undefined }
  } catch (error) {
    if (error instanceof PdfError) return { kind: 'locked' }
    throw error
  }
}

function numbersInUse(entries: ReadonlyMap<number, CrossReferenceEntry>): readonly number[] {
  const numbers: number[] = []
  for (const [number, { kind }] of entries) if (kind !== 'free') numbers.push(number)
  return numbers.sort((a, b) => a - b)
}

function catalogOf(
  resolve: (value: PdfObject | undefined) => PdfObject,
  trailer: PdfDictionary,
  isLocked: boolean,
): PdfDictionary {
  try {
    const catalog = resolve(trailer.entries.get('Root'))
    if (isDictionary(catalog) && entriesOf(catalog).has('Pages')) return catalog
  } catch (error) {
    if (!(isLocked && error instanceof PdfError)) throw error
  }
  return { kind: 'dictionary', entries: new Map() }
}
