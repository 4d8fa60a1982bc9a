import type { Span } from '#server/domain/bytes.ts'
import type {
  CrossReferenceEntry,
  CrossReferenceSection,
} from '#server/domain/pdf/cross-reference/cross-reference.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { Revision } from '#server/domain/pdf/revision.ts'
import { membersOf } from './container-members.ts'
import type { IrregularityList } from './irregularity.ts'
import type { faultOfBody } from './strict-syntax.ts'

export type CheckedBody = {
  readonly number: number
  readonly generation: number
  readonly span: Span
  readonly fault: ReturnType<typeof faultOfBody>
  /** The numbers in it, if it is an object stream. */
  readonly members: readonly number[] | undefined
}

/** What the revisions before say. */
export type Before = {
  readonly section: CrossReferenceSection | undefined
  readonly entries: ReadonlyMap<number, CrossReferenceEntry>
  readonly highest: number
}

/** Each body is listed at its place, with its generation, once. */
export function checkBodies(
  document: PdfDocument,
  revision: Revision,
  bodies: readonly CheckedBody[],
  list: IrregularityList,
): void {
  const seen = new Set<number>()
  for (const body of bodies) {
    const { number, span } = body
    if (seen.has(number)) list.add('object-repeated', span.start, number)
    seen.add(number)
    if (body.fault) list.add(body.fault, span.start, number)
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
const isSection = ({ sections }: Revision, { span }: CheckedBody) =>
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

/** Each row leads to a body of this revision, or says what an earlier one said. */
export function checkRows(
  document: PdfDocument,
  revision: Revision,
  bodies: readonly CheckedBody[],
  before: Before,
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
    if (entry.kind === 'offset' && !own.has(number) && !isRestated(revision, before, number))
      list.add('row-elsewhere', revision.offset, number)
  }
  for (const [container, rows] of slots) {
    const body = own.get(container)
    if (body) checkOwnSlots(revision, rows, body.members ?? [], list)
    else checkOlderSlots(revision, rows, membersOf(document, container), before, list)
  }
}

/** The row says what the row of an earlier revision says: some programs repeat all of them. */
const isRestated = ({ entries }: Revision, before: Before, number: number) =>
  isSameEntry(entries.get(number), before.entries.get(number))

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
  revision: Revision,
  rows: readonly Slot[],
  members: readonly number[],
  before: Before,
  list: IrregularityList,
): void {
  for (const { number, index } of rows) {
    if (members[index] !== number) list.add('slot-wrong', revision.offset, number)
    if (!isRestated(revision, before, number)) list.add('row-elsewhere', revision.offset, number)
  }
}
