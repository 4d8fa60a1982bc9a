import type { Span } from '#server/domain/bytes.ts'
import type { ByteReader } from '#server/domain/pdf/byte-reader.ts'
import { isDigit, isEndOfLine, isWhiteSpace } from '#server/domain/pdf/characters.ts'
import type { CrossReferenceSection } from '#server/domain/pdf/cross-reference/cross-reference.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { acceptObjectHeader, readIndirectObject } from '#server/domain/pdf/indirect-object.ts'
import { acceptInteger, acceptKeyword, type Cursor } from '#server/domain/pdf/lexer.ts'
import type { IndirectObject } from '#server/domain/pdf/object.ts'
import { headerStart } from '#server/domain/pdf/scan.ts'

/** An object with its place in the file. */
export type ObjectBody = IndirectObject & { readonly span: Span }

/** What stands next in a file, white space apart. */
export type LayoutPart =
  | { readonly kind: 'object'; readonly span: Span; readonly object: ObjectBody }
  | { readonly kind: 'table'; readonly span: Span; readonly section: CrossReferenceSection }
  /** `startxref` and its number, as the file states it. */
  | { readonly kind: 'start'; readonly span: Span; readonly stated: number | undefined }
  | { readonly kind: 'comment'; readonly span: Span }
  /** Anything else, up to what can be read again. */
  | { readonly kind: 'foreign'; readonly span: Span }

/**
 * All parts of a file in their order, whether a cross-reference lists them or not. What stands inside a stream is no
 * part of the file.
 *
 * @throws {PdfError} `too-complex`, `encrypted`
 */
export function* layoutOf(document: PdfDocument): Generator<LayoutPart> {
  const { bytes } = document
  const tables = new Map<number, CrossReferenceSection>()
  for (const { sections } of document.revisions)
    for (const section of sections)
      if (section.kind === 'table') tables.set(section.offset, section)
  const ends = new Set(document.revisions.map(({ end }) => end))
  const offsets = [...tables.keys()].sort((a, b) => b - a)
  for (let at = behindBlanks(bytes, 0); at < bytes.length; at = behindBlanks(bytes, at)) {
    while (offsets.length > 0 && offsets.at(-1)! <= at) offsets.pop()
    const part =
      commentAt(bytes, at, ends) ??
      tableAt(tables, at) ??
      startAt(bytes, at) ??
      objectAt(document, at) ??
      foreignAt(document, at, offsets.at(-1) ?? bytes.length)
    yield part
    at = part.span.end
  }
}

function behindBlanks(bytes: ByteReader, start: number): number {
  let at = start
  while (isWhiteSpace(bytes.at(at))) at++
  return at
}

/** @param ends of revisions: some programs begin the next one right behind `%%EOF` */
function commentAt(
  bytes: ByteReader,
  start: number,
  ends: ReadonlySet<number>,
): LayoutPart | undefined {
  if (bytes.at(start) !== 0x25) return undefined
  let end = start + 1
  while (end < bytes.length && !isEndOfLine(bytes.at(end)) && !ends.has(end)) end++
  return { kind: 'comment', span: { start, end } }
}

function tableAt(
  tables: ReadonlyMap<number, CrossReferenceSection>,
  start: number,
): LayoutPart | undefined {
  const section = tables.get(start)
  return section && { kind: 'table', span: { start, end: section.end }, section }
}

function startAt(bytes: ByteReader, start: number): LayoutPart | undefined {
  const cursor: Cursor = { bytes, position: start }
  if (!acceptKeyword(cursor, 'startxref')) return undefined
  const stated = acceptInteger(cursor)
  return { kind: 'start', span: { start, end: cursor.position }, stated }
}

function objectAt(document: PdfDocument, start: number): LayoutPart | undefined {
  const { bytes } = document
  if (!isDigit(bytes.at(start))) return undefined
  const header = acceptObjectHeader({ bytes, position: start })
  if (!header) return undefined
  const object = knownAt(document, header.number, start) ?? readAt(document, start)
  return object && { kind: 'object', span: object.span, object }
}

/** The object as it was read already, if its latest body begins here. */
function knownAt(document: PdfDocument, number: number, start: number): ObjectBody | undefined {
  const entry = document.entry(number)
  if (entry?.kind !== 'offset' || entry.offset > start || start - entry.offset > 2) return undefined
  const object = document.object(number)
  return object?.span?.start === start ? { ...object, span: object.span } : undefined
}

function readAt({ bytes, resolve, meter }: PdfDocument, start: number): ObjectBody | undefined {
  try {
    const object = readIndirectObject({ bytes, position: start }, resolve, meter)
    return { ...object, span: object.span! }
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

/** @param table where the next table begins */
function foreignAt({ bytes, meter }: PdfDocument, start: number, table: number): LayoutPart {
  let end = table
  for (let at = start; ; ) {
    const keyword = bytes.indexOf('obj', at, table)
    meter.spend(((keyword < 0 ? table : keyword) - at) >> 3)
    if (keyword < 0) break
    const header = headerStart(bytes, keyword)
    if (header !== undefined && header > start) {
      end = header
      break
    }
    at = keyword + 3
  }
  return { kind: 'foreign', span: { start, end } }
}
