import { createHash } from 'node:crypto'
import { concatBytes, type Span } from '#server/domain/bytes.ts'
import { fromLatin1, isEndOfLine } from './characters.ts'
import {
  type SectionEntry,
  streamSection,
  tableSection,
} from './cross-reference/cross-reference-writer.ts'
import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import {
  asCount,
  byteString,
  entriesOf,
  isArray,
  isRef,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
  reference,
} from './object.ts'
import { type NewStream, serializeObject } from './serialize.ts'

/** What a revision will add to a file. Nothing of the file itself is ever rewritten. */
export type IncrementalUpdate = {
  readonly document: PdfDocument
  /** A number that no object of the file has. */
  allocate(): PdfRef
  /** The object that the reference will lead to, new or in place of the one it leads to now. */
  set(ref: PdfRef, value: PdfObject | NewStream): void
  /** A new object. */
  add(value: PdfObject | NewStream): PdfRef
  /**
   * As it will stand after this update so far: set values win over those of the file.
   *
   * @throws {PdfError} `damaged`, `too-complex`
   */
  resolve(value: PdfObject | undefined): PdfObject
  /** The catalog as it will stand. */
  catalog(): PdfDictionary
  setCatalog(catalog: PdfDictionary): void
  /** The same update gives the same bytes every time. */
  finish(): AppendedBytes
}

export type AppendedBytes = {
  /** Length in bytes of the file to which they are appended. */
  readonly baseLength: number
  readonly bytes: Uint8Array
  /** Where each object lies in the finished file. */
  readonly objects: ReadonlyMap<number, Span>
}

/**
 * Begins a revision of `document`, which must be the latest state of its file.
 *
 * @throws {PdfError} `encrypted`: what is added would have to be encrypted too
 * @see ISO 32000-2:2020, 7.5.6
 */
export function incrementalUpdate(document: PdfDocument): IncrementalUpdate {
  if (document.isEncrypted)
    throw new PdfError(
      document.isLocked ? 'encrypted' : 'change-protected',
      'cannot add to an encrypted file',
    )
  const root = document.trailer.entries.get('Root')
  if (!isRef(root)) throw new PdfError('damaged', 'the catalog is no indirect object')
  const values = new Map<number, { generation: number; value: PdfObject | NewStream }>()
  let next = firstFreeNumber(document)

  const update: IncrementalUpdate = {
    document,
    allocate: () => reference(next++),
    set(ref, value) {
      const entry = document.entry(ref.number)
      const generation = entry?.kind === 'offset' ? entry.generation : ref.generation
      values.set(ref.number, { generation, value })
    },
    add(value) {
      const ref = update.allocate()
      update.set(ref, value)
      return ref
    },
    resolve(value) {
      let current = value ?? null
      for (let steps = 0; isRef(current); steps++) {
        if (steps > 32) throw new PdfError('damaged', 'references lead in a circle')
        const changed = values.get(current.number)
        if (!changed) return document.resolve(current)
        if (typeof changed.value === 'object' && changed.value?.kind === 'new-stream')
          return changed.value.dictionary
        current = changed.value
      }
      return current
    },
    catalog: () => ({ kind: 'dictionary', entries: entriesOf(update.resolve(root)) }),
    setCatalog: (catalog) => update.set(root, catalog),
    finish: () => finish(document, values, next),
  }
  return update
}

function firstFreeNumber(document: PdfDocument): number {
  const highest = Math.max(
    0,
    ...document.revisions.flatMap((revision) => highestOf(revision.entries)),
  )
  return Math.max(highest + 1, asCount(document.trailer.entries.get('Size')) ?? 0)
}

function highestOf(entries: ReadonlyMap<number, unknown>): number {
  let highest = 0
  for (const number of entries.keys()) highest = Math.max(highest, number)
  return highest
}

function finish(
  document: PdfDocument,
  values: ReadonlyMap<number, { generation: number; value: PdfObject | NewStream }>,
  next: number,
): AppendedBytes {
  const baseLength = document.source.length
  const parts: Uint8Array[] = needsLineEnd(document) ? [fromLatin1('\n')] : []
  let position = baseLength + (parts[0]?.length ?? 0)
  const objects = new Map<number, Span>()
  const entries: SectionEntry[] = []
  for (const [number, { generation, value }] of [...values].sort(([a], [b]) => a - b)) {
    const bytes = serializeObject(number, generation, value)
    objects.set(number, { start: position, end: position + bytes.length })
    entries.push({ number, generation, offset: position - document.base })
    parts.push(bytes)
    position += bytes.length
  }
  const body = concatBytes(...parts)
  const place = position - document.base
  const trailer = trailerOf(document, body)
  const section = isTableNext(document)
    ? tableSection(entries, { place, size: next, trailer })
    : streamSection([...untouchedEntries(document, objects), ...entries], {
        place,
        size: next,
        trailer,
      })
  return { baseLength, bytes: concatBytes(body, section), objects }
}

function needsLineEnd({ source }: PdfDocument): boolean {
  return source.length > 0 && !isEndOfLine(source.read(source.length - 1, source.length)[0]!)
}

const isTableNext = (document: PdfDocument) =>
  !document.isRebuilt && document.revisions.at(-1)?.kind === 'table'

/** A file whose cross-reference is of no use gets a complete new one, which leads to no older one. */
function untouchedEntries(
  document: PdfDocument,
  changed: ReadonlyMap<number, Span>,
): SectionEntry[] {
  if (!document.isRebuilt) return []
  return document.objectNumbers.flatMap((number): SectionEntry[] => {
    const entry = document.entry(number)
    if (changed.has(number) || !entry || entry.kind === 'free') return []
    return entry.kind === 'compressed'
      ? [{ number, stream: entry.stream, index: entry.index }]
      : [{ number, generation: entry.generation, offset: entry.offset - document.base }]
  })
}

/** What belongs to a section itself and not to the document. */
const SECTION_KEYS = new Set(
  'Size Prev XRefStm Type W Index Filter DecodeParms Length F FFilter FDecodeParms DL'.split(' '),
)

function trailerOf(document: PdfDocument, body: Uint8Array): Map<string, PdfObject> {
  const kept = [...document.trailer.entries].filter(([key]) => !SECTION_KEYS.has(key))
  const trailer = new Map(kept)
  const last = document.revisions.at(-1)
  if (last && !document.isRebuilt) trailer.set('Prev', last.offset - document.base)
  trailer.set('ID', fileIdentifier(document, body))
  return trailer
}

/** The first half stays, the second follows from what is added. @see ISO 32000-2:2020, 14.4 */
function fileIdentifier(document: PdfDocument, body: Uint8Array): PdfObject {
  const old = document.resolve(document.trailer.entries.get('ID'))
  const [first, second] = isArray(old) ? old.items.map(document.resolve).filter(isString) : []
  const hash = createHash('sha256')
  if (second) hash.update(second.bytes)
  const fresh = new Uint8Array(
    hash.update(String(document.source.length)).update(body).digest().subarray(0, 16),
  )
  return {
    kind: 'array',
    items: [first ?? byteString(fresh, 'hexadecimal'), byteString(fresh, 'hexadecimal')],
  }
}
