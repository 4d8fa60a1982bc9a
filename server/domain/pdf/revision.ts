import type { ByteReader } from './byte-reader.ts'
import {
  type CrossReferenceEntry,
  type CrossReferenceSection,
  overlaid,
} from './cross-reference/cross-reference.ts'
import { acceptInteger, acceptKeyword, type Cursor } from './lexer.ts'
import type { PdfDictionary } from './object.ts'

/** One state of the file: what was appended together, closed by an %%EOF. */
export type Revision = {
  /** Counts from 0, oldest first. */
  readonly index: number
  /** Of its cross-reference section, in the file. */
  readonly offset: number
  readonly kind: 'table' | 'stream'
  /** Its table and the stream beside it name two places for one object, or its trailer says one thing in two ways. */
  readonly isContradictory: boolean
  /** Its own trailer. */
  readonly trailer: PdfDictionary
  /** Newest first; two in a linearized file, none in a file that was scanned. */
  readonly sections: readonly CrossReferenceSection[]
  readonly entries: ReadonlyMap<number, CrossReferenceEntry>
  readonly defines: ReadonlySet<number>
  readonly frees: ReadonlySet<number>
  /** Just after its %%EOF, without the line end. */
  readonly markerEnd: number
  /** After its %%EOF and the line end after it, if there is one. */
  readonly end: number
}

/**
 * The sections as revisions, oldest first. The two sections of a linearized file are one revision: there
 * /Prev leads forward in the file.
 *
 * @param sections newest first
 */
export function revisionsOf(
  bytes: ByteReader,
  sections: readonly CrossReferenceSection[],
): Revision[] {
  const groups: CrossReferenceSection[][] = []
  for (const section of sections) {
    const newer = groups.at(-1)?.at(-1)
    if (newer && section.offset > newer.offset) groups.at(-1)!.push(section)
    else groups.push([section])
  }
  return groups.reverse().map((group, index) => revisionOf(bytes, group, index))
}

function revisionOf(
  bytes: ByteReader,
  group: readonly CrossReferenceSection[],
  index: number,
): Revision {
  const head = group[0]!
  const entries = overlaid(group.toReversed().map((section) => section.entries))
  const ends = group.map((section) => endOfSection(bytes, section.end))
  return {
    index,
    offset: head.offset,
    kind: head.kind,
    isContradictory:
      group.some((section) => section.isContradictory) || head.trailer.repeatedKeys !== undefined,
    trailer: head.trailer,
    sections: group,
    entries,
    get defines() {
      return numbersOf(entries, false)
    },
    get frees() {
      return numbersOf(entries, true)
    },
    markerEnd: Math.max(...ends.map((end) => end.markerEnd)),
    end: Math.max(...ends.map((end) => end.end)),
  }
}

function numbersOf(
  entries: ReadonlyMap<number, CrossReferenceEntry>,
  isFree: boolean,
): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const [number, { kind }] of entries) if ((kind === 'free') === isFree) numbers.add(number)
  return numbers
}

/** How far after its section an %%EOF may stand when other bytes lie between. */
const MARKER_WINDOW = 1024

function endOfSection(bytes: ByteReader, sectionEnd: number) {
  const cursor: Cursor = { bytes, position: sectionEnd }
  if (acceptKeyword(cursor, 'startxref')) acceptInteger(cursor)
  const marker = bytes.indexOf('%%EOF', cursor.position, cursor.position + MARKER_WINDOW)
  if (marker < 0) return { markerEnd: cursor.position, end: cursor.position }
  const markerEnd = marker + 5
  if (bytes.at(markerEnd) === 13)
    return { markerEnd, end: bytes.at(markerEnd + 1) === 10 ? markerEnd + 2 : markerEnd + 1 }
  return { markerEnd, end: bytes.at(markerEnd) === 10 ? markerEnd + 1 : markerEnd }
}
