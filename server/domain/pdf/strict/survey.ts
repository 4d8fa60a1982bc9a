import {
  type CrossReferenceEntry,
  overlaid,
} from '#server/domain/pdf/cross-reference/cross-reference.ts'
import { EntryTable } from '#server/domain/pdf/cross-reference/entry-table.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isDictionary,
  isNamed,
  isRef,
  isStream,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { readValue } from '#server/domain/pdf/parser.ts'
import { membersOfBody } from './container-members.ts'
import { findHidden } from './hidden-objects.ts'
import { type Irregularity, type IrregularityList, irregularityList } from './irregularity.ts'
import { type LayoutPart, layoutOf, type ObjectBody } from './layout.ts'
import {
  type CheckedPart,
  checkedPart,
  checkRevision,
  checkTail,
  highestNumber,
} from './strict-revision.ts'

/** What a look through the whole file finds, beside what its cross-reference says. */
export type Survey = {
  /** Where later revisions leave the grammar of the standard. */
  readonly irregularities: readonly Irregularity[]
  /** The file as programs read it that take the first of two rows, or look for the objects themselves. */
  readonly readings: readonly Reading[]
  /** The catalog that the last trailer of the file names is another one. */
  readonly hasOtherRoot: boolean
}

/** Another way to read a file. */
export type Reading = {
  readonly document: PdfDocument
  /** The objects that it finds in another place, and where in the file. */
  readonly differing: ReadonlyMap<number, number>
}

/**
 * Looks through the file once, from the first byte to the last.
 *
 * @param strictFrom the first revision that must be written exactly as the standard says; none when undefined
 * @throws {PdfError} `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 7.5
 */
export function surveyOf(document: PdfDocument, strictFrom: number | undefined): Survey {
  const list = irregularityList()
  const found = lookThrough(document, strictFrom ?? Number.POSITIVE_INFINITY, list)
  const signedEnd = strictFrom === undefined ? undefined : document.revisions[strictFrom - 1]?.end
  if (signedEnd !== undefined) findHidden(document, signedEnd, found.keywords, list)
  const readings = [firstRows(document), openRows(document, strictFrom), found.entries]
    .filter((entries) => entries !== undefined)
    .map((entries) => readingOf(document, entries, found.places))
    .filter(({ differing }) => differing.size > 0)
  const root = document.trailer.entries.get('Root')
  const hasOtherRoot = isRef(found.root) && !(isRef(root) && root.number === found.root.number)
  return { irregularities: list.found, readings, hasOtherRoot }
}

type Entries = ReadonlyMap<number, CrossReferenceEntry>

/** Undefined where no section lists an object twice: then the first row is the last. */
function firstRows({ revisions }: PdfDocument): Entries | undefined {
  const sections = revisions.flatMap((revision) => revision.sections.toReversed())
  if (sections.every(({ firstEntries }) => firstEntries.size === 0)) return undefined
  return overlaid(sections.flatMap((one) => [one.entries, one.firstEntries]))
}

/**
 * As programs read it that believe a table which calls an object free, whatever the stream beside it says: behind
 * a signature only, because files are written so that older programs do not see what they cannot read.
 */
function openRows({ revisions }: PdfDocument, strictFrom = Number.POSITIVE_INFINITY) {
  const hybrids = revisions.slice(strictFrom).flatMap(({ sections }) => sections)
  if (hybrids.every(({ hybrid }) => hybrid === undefined)) return undefined
  return overlaid(
    revisions.flatMap(({ entries, sections, index }) =>
      index < strictFrom
        ? [entries]
        : sections
            .toReversed()
            .flatMap((one) =>
              one.hybrid ? [one.hybrid.stream.entries, one.hybrid.table] : [one.entries],
            ),
    ),
  )
}

type Found = {
  /** The last body of each object; what a later revision frees is gone. */
  entries: Entries
  /** Where the number of each body in the file begins, by the place that rows may state for it. */
  places: ReadonlySet<number>
  /** Where the keyword of each object and trailer behind the first signature stands. */
  keywords: ReadonlySet<number>
  root: PdfObject
}

function lookThrough(document: PdfDocument, strictFrom: number, list: IrregularityList): Found {
  const { revisions } = document
  const containers = containersOf(document)
  const entries = new EntryTable()
  const places = new Set<number>()
  const keywords = new Set<number>()
  const strict = strictChecks(document, strictFrom, list)
  let root: PdfObject = null
  let index = 0
  let present = new Set<number>()
  const endRevision = () => {
    strict.end(index)
    for (const number of revisions[index]?.frees ?? [])
      if (!present.has(number)) entries.delete(number)
    present = new Set()
    index++
  }
  for (const part of layoutOf(document)) {
    while (index < revisions.length && part.span.start >= revisions[index]!.end) endRevision()
    const object = part.kind === 'object' ? part.object : undefined
    const isContainer = object !== undefined && isObjectStream(object, containers)
    const members = isContainer ? membersOfBody(document, object) : undefined
    strict.meet(index, part, members)
    if (index >= strictFrom) keywords.add(keywordOf(document, part))
    root = rootIn(document, part) ?? root
    if (!object) continue
    const { number, generation, span } = object
    places.add(span.start)
    entries.set(number, { kind: 'offset', offset: span.start, generation })
    present.add(number)
    for (const [at, member] of members?.entries() ?? []) {
      entries.set(member, { kind: 'compressed', stream: number, index: at })
      present.add(member)
    }
  }
  while (index <= revisions.length) endRevision()
  return { entries, places, keywords, root }
}

/** The `obj` of an object, the `trailer` of a table; -1 for other parts. */
function keywordOf({ bytes }: PdfDocument, { kind, span }: LayoutPart): number {
  if (kind === 'object') return bytes.indexOf('obj', span.start, span.end)
  return kind === 'table' ? bytes.indexOf('trailer', span.start, span.end) : -1
}

/** Checks each revision from `strictFrom` on when all its parts were met. */
function strictChecks(document: PdfDocument, strictFrom: number, list: IrregularityList) {
  const { revisions } = document
  let parts: CheckedPart[] = []
  const entries = new EntryTable()
  let highest = 0
  return {
    meet(index: number, part: LayoutPart, members: readonly number[] | undefined): void {
      if (index >= strictFrom) parts.push(checkedPart(document, part, members))
    },
    end(index: number): void {
      const revision = revisions[index]
      const section = revisions[index - 1]?.sections[0]
      if (index >= strictFrom) {
        if (revision) checkRevision(document, revision, parts, { section, entries, highest }, list)
        else checkTail(document, parts, list)
      }
      parts = []
      if (!revision || strictFrom === Number.POSITIVE_INFINITY) return
      entries.add(revision.entries)
      highest = Math.max(highest, highestNumber(revision.entries))
    },
  }
}

/** A container is what rows use as one; programs that trust no row believe what a stream calls itself. */
const isObjectStream = ({ number, value }: ObjectBody, containers: ReadonlySet<number>) =>
  isStream(value) &&
  (containers.has(number) || isNamed(value.dictionary.entries.get('Type'), 'ObjStm'))

function containersOf({ revisions }: PdfDocument): Set<number> {
  const containers = new Set<number>()
  for (const { entries } of revisions)
    for (const entry of entries.values())
      if (entry.kind === 'compressed') containers.add(entry.stream)
  return containers
}

/** The catalog that a trailer names, if the part is one. */
function rootIn(document: PdfDocument, part: LayoutPart): PdfObject | undefined {
  if (part.kind === 'table') return part.section.trailer.entries.get('Root')
  if (part.kind === 'object') {
    const { value } = part.object
    const isSection = isStream(value) && isNamed(value.dictionary.entries.get('Type'), 'XRef')
    return isSection ? value.dictionary.entries.get('Root') : undefined
  }
  return part.kind === 'foreign' ? rootInForeign(document, part) : undefined
}

function rootInForeign({ bytes, meter }: PdfDocument, { span }: LayoutPart): PdfObject | undefined {
  const found = bytes.lastIndexOf('trailer', span.start, span.end)
  meter.spend((span.end - span.start) >> 3)
  if (found < 0) return undefined
  try {
    const value = readValue({ bytes, position: found + 7 }, 'file')
    return isDictionary(value) ? entriesOf(value).get('Root') : undefined
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

function readingOf(document: PdfDocument, entries: Entries, places: ReadonlySet<number>): Reading {
  const differing = new Map<number, number>()
  const own = new Set([...document.objectNumbers, ...entries.keys()])
  const isSame = (a: CrossReferenceEntry | undefined, b: CrossReferenceEntry | undefined) =>
    isSamePlace(document, a, b, places)
  for (const number of own) {
    const entry = entries.get(number)
    if (!isSame(document.entry(number), entry)) differing.set(number, placeOf(entry, entries))
  }
  // What stands in a container moves with it.
  for (const [number, entry] of entries)
    if (entry.kind === 'compressed' && differing.has(entry.stream))
      differing.set(number, placeOf(entry, entries))
  return { document: document.readBy(entries), differing }
}

/** Where in the file it stands; 0 for what is nowhere. */
function placeOf(entry: CrossReferenceEntry | undefined, entries: Entries): number {
  if (entry?.kind === 'compressed') {
    const container = entries.get(entry.stream)
    return container?.kind === 'offset' ? container.offset : 0
  }
  return entry?.kind === 'offset' ? entry.offset : 0
}

function isSamePlace(
  document: PdfDocument,
  a: CrossReferenceEntry | undefined,
  b: CrossReferenceEntry | undefined,
  places: ReadonlySet<number>,
): boolean {
  const [one, other] = [a?.kind === 'free' ? undefined : a, b?.kind === 'free' ? undefined : b]
  if (!one || !other) return one === other
  if (one.kind === 'compressed')
    return other.kind === 'compressed' && one.stream === other.stream && one.index === other.index
  if (one.kind !== 'offset' || other.kind !== 'offset') return false
  return one.offset === other.offset || behindBlanks(document, one.offset, places) === other.offset
}

const LONGEST_BLANK = 64

/** Rows may lead to the white space before an object. */
function behindBlanks({ bytes }: PdfDocument, offset: number, places: ReadonlySet<number>): number {
  for (let at = offset; at < offset + LONGEST_BLANK; at++) {
    if (places.has(at)) return at
    if (bytes.at(at) > 0x20) break
  }
  return offset
}
