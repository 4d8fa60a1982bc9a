import type { ByteSource } from '#server/domain/bytes.ts'
import type { ByteReader } from './byte-reader.ts'
import { isDigit } from './characters.ts'
import type {
  CrossReferenceEntry,
  CrossReferenceSection,
} from './cross-reference/cross-reference.ts'
import { readStreamSection } from './cross-reference/cross-reference-stream.ts'
import { readTable } from './cross-reference/cross-reference-table.ts'
import { EntryTable } from './cross-reference/entry-table.ts'
import { PdfError } from './error.ts'
import { acceptObjectHeader } from './indirect-object.ts'
import { type Cursor, skipWhiteSpace } from './lexer.ts'
import { MAX_ENTRIES, MAX_SECTIONS, type WorkMeter } from './limits.ts'
import { asCount } from './object.ts'

/** What is needed to read anything of a file. */
export type ReadingContext = {
  readonly source: ByteSource
  readonly bytes: ByteReader
  /** What the offsets that the file states count from: 0, or the place of its header. */
  readonly base: number
  readonly meter: WorkMeter
}

export type Chain = {
  /** Newest first, as /Prev leads. */
  readonly sections: readonly CrossReferenceSection[]
  /** A section did not begin where the file says. */
  readonly isShifted: boolean
}

/**
 * All cross-reference sections from the one at `start` (as the file states it) to the oldest.
 *
 * @throws {PdfError} `damaged` for a loop or a lying offset, `too-complex`
 * @see ISO 32000-2:2020, 7.5.4 to 7.5.8
 */
export function readChain(context: ReadingContext, start: number): Chain {
  const sections: CrossReferenceSection[] = []
  const seen = new Set<number>()
  let isShifted = false
  let entryCount = 0
  for (let next: number | undefined = start; next !== undefined; ) {
    const place = sectionPlace(context.bytes, next + context.base)
    if (seen.has(place.position)) throw new PdfError('damaged', 'the /Prev chain loops')
    seen.add(place.position)
    isShifted ||= place.isShifted
    const section = readSection(context, place.position)
    sections.push(section)
    entryCount += section.entries.size
    if (sections.length > MAX_SECTIONS || entryCount > MAX_ENTRIES)
      throw new PdfError('too-complex', 'too many cross-reference sections')
    // Some first revisions state /Prev 0 for "none".
    next = asCount(section.trailer.entries.get('Prev')) || undefined
  }
  return { sections, isShifted }
}

function readSection(context: ReadingContext, position: number): CrossReferenceSection {
  const { source, bytes, base, meter } = context
  const cursor: Cursor = { bytes, position }
  if (bytes.at(position) !== 0x78) return readStreamSection(source, cursor, base, meter)
  const table = readTable(cursor, base, meter)
  const beside = asCount(table.trailer.entries.get('XRefStm'))
  if (beside === undefined) return table
  const hidden: Cursor = { bytes, position: beside + base }
  skipWhiteSpace(hidden)
  const stream = readStreamSection(source, hidden, base, meter)
  return {
    ...table,
    hybrid: { table: table.entries, stream },
    entries: hybridEntries(table.entries, stream.entries),
    isContradictory: doContradict(table.entries, stream.entries),
  }
}

/** What the table calls free is looked up in the stream beside it. @see ISO 32000-2:2020, 7.5.8.4 */
function hybridEntries(
  table: ReadonlyMap<number, CrossReferenceEntry>,
  stream: ReadonlyMap<number, CrossReferenceEntry>,
): ReadonlyMap<number, CrossReferenceEntry> {
  const entries = new EntryTable()
  entries.add(table)
  for (const [number, entry] of stream)
    if ((table.get(number)?.kind ?? 'free') === 'free') entries.set(number, entry)
  return entries
}

function doContradict(
  table: ReadonlyMap<number, CrossReferenceEntry>,
  stream: ReadonlyMap<number, CrossReferenceEntry>,
): boolean {
  return [...stream].some(([number, hidden]) => {
    const open = table.get(number)
    if (open?.kind !== 'offset' || hidden.kind === 'free') return false
    return hidden.kind !== 'offset' || hidden.offset !== open.offset
  })
}

const SHIFT = 64

function sectionPlace(bytes: ByteReader, stated: number): { position: number; isShifted: boolean } {
  const cursor: Cursor = { bytes, position: stated }
  skipWhiteSpace(cursor)
  if (isXref(bytes, cursor.position)) return { position: cursor.position, isShifted: false }
  if (acceptObjectHeader({ bytes, position: cursor.position })) {
    const position = startOfNumber(bytes, cursor.position)
    return { position, isShifted: position !== cursor.position }
  }
  for (let away = 1; away <= SHIFT; away++)
    for (const position of [stated - away, stated + away])
      if (isXref(bytes, position)) return { position, isShifted: true }
  throw new PdfError('damaged', `no cross-reference at byte ${stated}`)
}

/** An offset may lead into the middle of an object's number. */
function startOfNumber(bytes: ByteReader, position: number): number {
  let start = position
  while (position - start < 20 && isDigit(bytes.at(start - 1))) start--
  return start
}

function isXref(bytes: ByteReader, position: number): boolean {
  return (
    bytes.at(position) === 0x78 &&
    bytes.indexOf('xref', position, position + 4) === position &&
    bytes.at(position - 1) !== 0x74
  )
}
