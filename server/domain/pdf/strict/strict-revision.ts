import type { Span } from '#server/domain/bytes.ts'
import { latin1 } from '#server/domain/pdf/characters.ts'
import type {
  CrossReferenceEntry,
  CrossReferenceSection,
} from '#server/domain/pdf/cross-reference/cross-reference.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { type Cursor, skipWhiteSpace } from '#server/domain/pdf/lexer.ts'
import { asCount, isRef } from '#server/domain/pdf/object.ts'
import type { Revision } from '#server/domain/pdf/revision.ts'
import type { IrregularityList } from './irregularity.ts'
import type { LayoutPart } from './layout.ts'
import { type Before, type CheckedBody, checkBodies, checkRows } from './strict-rows.ts'
import { isPlainStreamSection, isPlainTable } from './strict-section.ts'
import { faultOfBody, hasRightGenerations } from './strict-syntax.ts'

/** A part of a revision as far as it is checked: what objects hold is looked at when they are met. */
export type CheckedPart =
  | Exclude<LayoutPart, { kind: 'object' }>
  | { readonly kind: 'object'; readonly span: Span; readonly body: CheckedBody }

export function checkedPart(
  document: PdfDocument,
  part: LayoutPart,
  members: readonly number[] | undefined,
): CheckedPart {
  if (part.kind !== 'object') return part
  const { number, generation, span } = part.object
  const fault = faultOfBody(document, part.object)
  return { kind: 'object', span, body: { number, generation, span, fault, members } }
}

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
  parts: readonly CheckedPart[],
  before: Before,
  list: IrregularityList,
): void {
  const section = revision.sections[0]
  if (!section || revision.sections.length > 1) list.add('sections-several', revision.offset)
  if (!section) return
  checkFrame(document, revision, section, parts, list)
  checkTrailer(document, revision, section, before, list)
  checkSection(document, section, list)
  const bodies = parts.flatMap((part) => (part.kind === 'object' ? [part.body] : []))
  checkHybrid(section, bodies, list)
  checkBodies(document, revision, bodies, list)
  checkRows(document, revision, bodies, before, list)
}

/** What stands after the end of the last revision. */
export function checkTail(
  document: PdfDocument,
  parts: readonly CheckedPart[],
  list: IrregularityList,
): void {
  for (const part of parts) {
    if (part.kind === 'comment') checkComment(document, part, list)
    else if (part.kind === 'object') list.add('object-unlisted', part.span.start, part.body.number)
    else list.add('foreign-bytes', part.span.start)
  }
}

const STRUCTURE_WORDS = /obj|xref|trailer|stream|%PDF-/

function checkComment(
  { source }: PdfDocument,
  { span }: CheckedPart,
  list: IrregularityList,
): void {
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
  parts: readonly CheckedPart[],
  list: IrregularityList,
): void {
  let isAfterSection = false
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
        if (isStated) list.add('object-misplaced', start, part.body.number)
        isAfterSection ||= start === section.offset
        break
      case 'table':
        if (isAfterSection || part.section !== section) list.add('sections-several', start)
        isAfterSection = true
        break
      case 'start':
        if (!isAfterSection || isStated) list.add('start-missing', start)
        isStated = true
        if (!leadsTo(document, part.stated, section)) list.add('start-offset-wrong', start)
        break
      case 'foreign':
        list.add('foreign-bytes', start)
        break
    }
  }
  if (!isAfterSection) list.add('sections-several', section.offset)
  if (!isStated) list.add('start-missing', end - 1)
  if (!isEnded) list.add('end-missing', end - 1)
}

const isMarker = ({ source }: PdfDocument, { span }: CheckedPart) =>
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
  before: Before,
  list: IrregularityList,
): void {
  const { entries } = section.trailer
  const previous = asCount(entries.get('Prev'))
  if (!before.section || !leadsTo(document, previous, before.section))
    list.add('prev-offset-wrong', section.offset)
  if (!hasRightGenerations(document, section.trailer))
    list.add('generation-differs', section.offset)
  if (!isRef(entries.get('Root'))) list.add('root-missing', section.offset)
  const size = asCount(entries.get('Size'))
  if (size === undefined || size <= Math.max(before.highest, highestNumber(revision.entries)))
    list.add('size-wrong', section.offset)
}

/** A cross-reference stream need not list itself, nor count itself. */
export function highestNumber(entries: ReadonlyMap<number, CrossReferenceEntry>): number {
  let highest = 0
  for (const [number, { kind }] of entries) if (kind !== 'free') highest = Math.max(highest, number)
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
  bodies: readonly CheckedBody[],
  list: IrregularityList,
): void {
  if (!hybrid) return
  const { stream } = hybrid
  const isOwn = bodies.some(({ span }) => span.start === stream.offset)
  if (!isOwn || isContradictory) list.add('section-hybrid', offset)
  if (!isPlainStreamSection(stream)) list.add('stream-malformed', stream.offset)
  for (const number of stream.firstEntries.keys()) list.add('row-repeated', stream.offset, number)
}
