import { latin1 } from './characters.ts'
import { membersOf, membersOfBody } from './container-members.ts'
import type { CrossReferenceEntry, CrossReferenceSection } from './cross-reference.ts'
import type { PdfDocument } from './document.ts'
import type { IrregularityList } from './irregularity.ts'
import type { LayoutPart, ObjectBody } from './layout.ts'
import { type Cursor, skipWhiteSpace } from './lexer.ts'
import { asCount, isRef } from './object.ts'
import type { Revision } from './revision.ts'
import { isPlainStreamSection, isPlainTable } from './strict-section.ts'
import { faultOfBody } from './strict-syntax.ts'

/**
 * Where a revision is not what the standard says a revision is: objects, one section that lists each of them and
 * nothing else, its place, the end.
 *
 * @param parts what the file holds between the end of the revision before and its own
 * @see ISO 32000-2:2020, 7.5.6
 */
export function checkRevision(
  document: PdfDocument,
  revision: Revision,
  parts: readonly LayoutPart[],
  list: IrregularityList,
): void {
  const section = revision.sections[0]
  if (!section || revision.sections.length > 1) list.add('sections-several', revision.offset)
  if (!section) return
  checkFrame(document, revision, section, parts, list)
  checkTrailer(document, revision, section, list)
  checkSection(document, section, list)
  const bodies = parts.flatMap((part) => (part.kind === 'object' ? [part.object] : []))
  checkHybrid(section, bodies, list)
  checkBodies(document, revision, bodies, list)
  checkRows(document, revision, bodies, list)
}

/** What stands behind the end of the last revision. */
export function checkTail(
  document: PdfDocument,
  parts: readonly LayoutPart[],
  list: IrregularityList,
): void {
  for (const part of parts) {
    if (part.kind === 'comment') checkComment(document, part, list)
    else if (part.kind === 'object')
      list.add('object-unlisted', part.span.start, part.object.number)
    else list.add('foreign-bytes', part.span.start)
  }
}

const STRUCTURE_WORDS = /obj|xref|trailer|stream|%PDF-/

function checkComment({ source }: PdfDocument, { span }: LayoutPart, list: IrregularityList): void {
  const text = latin1(source.read(span.start, Math.min(span.end, span.start + MAX_COMMENT)))
  if (span.end - span.start > MAX_COMMENT || STRUCTURE_WORDS.test(text))
    list.add('comment-with-keyword', span.start)
}

const MAX_COMMENT = 4096

/** Objects, the section, `startxref` with its place, `%%EOF`, in this order. */
function checkFrame(
  document: PdfDocument,
  { end }: Revision,
  section: CrossReferenceSection,
  parts: readonly LayoutPart[],
  list: IrregularityList,
): void {
  let isBehindSection = false
  let isStated = false
  let isEnded = false
  for (const part of parts) {
    const { start } = part.span
    switch (part.kind) {
      case 'comment':
        checkComment(document, part, list)
        isEnded ||= isStated && isMarker(document, part)
        break
      case 'object':
        if (isStated) list.add('object-misplaced', start, part.object.number)
        isBehindSection ||= start === section.offset
        break
      case 'table':
        if (isBehindSection || part.section !== section) list.add('sections-several', start)
        isBehindSection = true
        break
      case 'start':
        if (!isBehindSection || isStated) list.add('start-missing', start)
        isStated = true
        if (!leadsTo(document, part.stated, section)) list.add('start-offset-wrong', start)
        break
      case 'foreign':
        list.add('foreign-bytes', start)
        break
    }
  }
  if (!isBehindSection) list.add('sections-several', section.offset)
  if (!isStated) list.add('start-missing', end - 1)
  if (!isEnded) list.add('end-missing', end - 1)
}

const isMarker = ({ source }: PdfDocument, { span }: LayoutPart) =>
  latin1(source.read(span.start, Math.min(span.end, span.start + 5))) === '%%EOF'

/** Whether a stated offset is that of the section, or of the white space before it. */
function leadsTo(
  { bytes, base }: PdfDocument,
  stated: number | undefined,
  { offset }: CrossReferenceSection,
): boolean {
  if (stated === undefined || stated + base > offset) return false
  const cursor: Cursor = { bytes, position: stated + base }
  for (let at = stated + base; at < offset; at++) if (bytes.at(at) === 0x25) return false
  skipWhiteSpace(cursor)
  return cursor.position === offset
}

function checkTrailer(
  document: PdfDocument,
  revision: Revision,
  section: CrossReferenceSection,
  list: IrregularityList,
): void {
  const { entries } = section.trailer
  const before = document.revisions[revision.index - 1]?.sections[0]
  const previous = asCount(entries.get('Prev'))
  if (before && !leadsTo(document, previous, before)) list.add('prev-offset-wrong', section.offset)
  if (!isRef(entries.get('Root'))) list.add('root-missing', section.offset)
  const size = asCount(entries.get('Size'))
  if (size === undefined || size <= highestNumber(document, revision.index))
    list.add('size-wrong', section.offset)
}

/** A cross-reference stream need not list itself, nor count itself. */
function highestNumber({ revisions }: PdfDocument, last: number): number {
  let highest = 0
  for (const { entries } of revisions.slice(0, last + 1))
    for (const [number, { kind }] of entries)
      if (kind !== 'free') highest = Math.max(highest, number)
  return highest
}

function checkSection(
  document: PdfDocument,
  section: CrossReferenceSection,
  list: IrregularityList,
): void {
  for (const number of section.firstEntries.keys()) list.add('row-repeated', section.offset, number)
  if (section.kind === 'table') {
    if (!isPlainTable(document, section)) list.add('table-malformed', section.offset)
  } else if (!isPlainStreamSection(section)) list.add('stream-malformed', section.offset)
}

/** The stream beside a table belongs to the same revision, and no object stands in both. */
function checkHybrid(
  { offset, hybrid, isContradictory }: CrossReferenceSection,
  bodies: readonly ObjectBody[],
  list: IrregularityList,
): void {
  if (!hybrid) return
  const { stream } = hybrid
  const isOwn = bodies.some(({ span }) => span.start === stream.offset)
  if (!isOwn || isContradictory) list.add('section-hybrid', offset)
  if (!isPlainStreamSection(stream)) list.add('stream-malformed', stream.offset)
  for (const number of stream.firstEntries.keys()) list.add('row-repeated', stream.offset, number)
}

function checkBodies(
  document: PdfDocument,
  revision: Revision,
  bodies: readonly ObjectBody[],
  list: IrregularityList,
): void {
  const seen = new Set<number>()
  for (const body of bodies) {
    const { number, span } = body
    if (seen.has(number)) list.add('object-repeated', span.start, number)
    seen.add(number)
    const fault = faultOfBody(document, body)
    if (fault) list.add(fault, span.start, number)
    const entry = revision.entries.get(number)
    if (entry?.kind !== 'offset') {
      if (!isSection(revision, body)) list.add('object-unlisted', span.start, number)
    } else if (!beginsAt(document, entry.offset, span.start))
      list.add('object-unlisted', span.start, number)
    else if (entry.generation !== body.generation)
      list.add('generation-differs', span.start, number)
  }
}

/** A cross-reference stream need not list itself. */
const isSection = ({ sections }: Revision, { span }: ObjectBody) =>
  sections.some(({ offset, hybrid }) => [offset, hybrid?.stream.offset].includes(span.start))

/** White space before the target of a row is accepted: good programs write it. */
function beginsAt({ bytes }: PdfDocument, offset: number, start: number): boolean {
  if (offset === start) return true
  if (offset > start || start - offset > 64) return false
  for (let at = offset; at < start; at++) if (!BLANKS.has(bytes.at(at))) return false
  return true
}

const BLANKS = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])

type Slot = { readonly number: number; readonly index: number }

function checkRows(
  document: PdfDocument,
  revision: Revision,
  bodies: readonly ObjectBody[],
  list: IrregularityList,
): void {
  const own = new Map(bodies.map((body) => [body.number, body]))
  const slots = new Map<number, Slot[]>()
  for (const [number, entry] of revision.entries) {
    if (entry.kind === 'compressed') {
      const known = slots.get(entry.stream)
      if (known) known.push({ number, index: entry.index })
      else slots.set(entry.stream, [{ number, index: entry.index }])
    }
    if (entry.kind === 'offset' && !own.has(number) && !isRestated(document, revision, number))
      list.add('row-elsewhere', revision.offset, number)
  }
  for (const [container, rows] of slots) {
    const body = own.get(container)
    if (body) checkOwnSlots(revision, rows, membersOfBody(document, body), list)
    else checkOlderSlots(document, revision, container, rows, list)
  }
}

/** The row says what the row of an earlier revision says: some programs repeat all of them. */
function isRestated({ revisions }: PdfDocument, { index, entries }: Revision, number: number) {
  const entry = entries.get(number)
  const before = revisions.slice(0, index).findLast((one) => one.entries.has(number))
  return isSameEntry(entry, before?.entries.get(number))
}

function isSameEntry(a: CrossReferenceEntry | undefined, b: CrossReferenceEntry | undefined) {
  if (a?.kind === 'offset') return b?.kind === 'offset' && a.offset === b.offset
  if (a?.kind !== 'compressed' || b?.kind !== 'compressed') return false
  return a.stream === b.stream && a.index === b.index
}

/** Each row leads to its number, and each number has its row. */
function checkOwnSlots(
  { offset }: Revision,
  rows: readonly Slot[],
  members: readonly number[],
  list: IrregularityList,
): void {
  for (const { number, index } of rows)
    if (members[index] !== number) list.add('slot-wrong', offset, number)
  if (new Set(members).size < members.length) list.add('slot-repeated', offset)
  if (rows.length !== members.length) list.add('slot-unlisted', offset)
}

function checkOlderSlots(
  document: PdfDocument,
  revision: Revision,
  container: number,
  rows: readonly Slot[],
  list: IrregularityList,
): void {
  const members = membersOf(document, container)
  for (const { number, index } of rows) {
    if (members[index] !== number) list.add('slot-wrong', revision.offset, number)
    if (!isRestated(document, revision, number)) list.add('row-elsewhere', revision.offset, number)
  }
}
