import { latin1 } from '#server/domain/pdf/characters.ts'
import type { CrossReferenceSection } from '#server/domain/pdf/cross-reference/cross-reference.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { asCount, isArray, isNamed, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { plainValueEnd } from './strict-syntax.ts'

const KEYWORD = /xref *(?:\r\n|\n|\r)/y
const SUBSECTION = /(\d{1,10}) (\d{1,10}) *(?:\r\n|\n|\r)/y
const ROW = /(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)/y
/** Blank lines before it are harmless, and good programs write them. */
const TRAILER = /[\0\t\n\f\r ]*trailer(?=[\0\t\n\f\r <])/y

/**
 * Whether a table is written so that all readers read the same rows: each in its 20 bytes, as many as its
 * subsection says, none twice.
 *
 * @see ISO 32000-2:2020, 7.5.4
 */
export function isPlainTable({ source }: PdfDocument, section: CrossReferenceSection): boolean {
  const text = latin1(source.read(section.offset, section.end))
  const entries = section.hybrid?.table ?? section.entries
  let at = 0
  const accept = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  if (!accept(KEYWORD)) return false
  let rows = 0
  for (let head = accept(SUBSECTION); head; head = accept(SUBSECTION)) {
    const [first, count] = [Number(head[1]), Number(head[2])]
    for (let index = 0; index < count; index++) {
      const row = accept(ROW)
      if (!row || !entries.has(first + index)) return false
      if (row[3] === 'n' && Number(row[1]) === 0) return false
      rows++
    }
  }
  if (rows !== entries.size || !accept(TRAILER)) return false
  return plainValueEnd(text, at) === text.length
}

/** Wider fields than this are read by none, or in part. */
const MAX_WIDTH = 8

/**
 * Whether a cross-reference stream is written so that all readers read the same rows.
 *
 * @see ISO 32000-2:2020, 7.5.8
 */
export function isPlainStreamSection(section: CrossReferenceSection): boolean {
  const { entries } = section.trailer
  const widths = countsOf(entries.get('W'))
  if (!isNamed(entries.get('Type'), 'XRef') || widths?.length !== 3) return false
  if (widths.some((width) => width > MAX_WIDTH) || widths[1] === 0) return false
  const rows = countOfRows(entries)
  if (rows === undefined || !isPlainlyFiltered(entries)) return false
  return section.rowBytes === rows * sumOf(widths) && section.entries.size === rows
}

/** Whether a cross-reference stream ends before the rows that it announces: most readers then believe none of them. */
export function lacksRows({ rowBytes, trailer: { entries } }: CrossReferenceSection): boolean {
  const [rows, widths] = [countOfRows(entries), countsOf(entries.get('W'))]
  return rowBytes !== undefined && rowBytes < (rows ?? 0) * sumOf(widths ?? [])
}

/** As /Index or /Size announces them; undefined if it is malformed. */
function countOfRows(entries: ReadonlyMap<string, PdfObject>): number | undefined {
  const index = entries.has('Index')
    ? countsOf(entries.get('Index'))
    : [0, asCount(entries.get('Size')) ?? 0]
  if (!index || index.length % 2 !== 0) return undefined
  return sumOf(index.filter((_, at) => at % 2 === 1))
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

const countsOf = (value: PdfObject | undefined) => {
  const counts = isArray(value) ? value.items.map(asCount) : []
  return counts.every((count) => count !== undefined) ? counts : undefined
}

/** Readers differ in what they make of other filters, and of parameters that stand elsewhere. */
function isPlainlyFiltered(entries: ReadonlyMap<string, PdfObject>): boolean {
  const filter = entries.get('Filter') ?? null
  const only = isArray(filter) && filter.items.length === 1 ? filter.items[0] : filter
  if (isRef(entries.get('DecodeParms') ?? null)) return false
  return only === null || isNamed(only, 'FlateDecode')
}
