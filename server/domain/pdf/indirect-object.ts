import type { Span } from '#server/domain/bytes.ts'
import { isEndOfLine } from './characters.ts'
import { PdfError } from './error.ts'
import { acceptInteger, acceptKeyword, type Cursor } from './lexer.ts'
import type { WorkMeter } from './limits.ts'
import {
  asCount,
  type IndirectObject,
  isDictionary,
  type PdfDictionary,
  type PdfObject,
} from './object.ts'
import { readValue } from './parser.ts'

/** Follows the reference of a /Length; undefined when it cannot be known now. */
export type LengthResolver = (value: PdfObject | undefined) => PdfObject | undefined

/**
 * The indirect object that begins at the cursor.
 *
 * @throws {PdfError} `damaged` when none begins there
 * @see ISO 32000-2:2020, 7.3.10 and 7.3.8
 */
export function readIndirectObject(
  cursor: Cursor,
  resolveLength: LengthResolver,
  meter: WorkMeter,
): IndirectObject {
  const start = cursor.position
  const header = acceptObjectHeader(cursor)
  if (!header) throw new PdfError('damaged', `no object begins at byte ${start}`)
  const valueStart = cursor.position
  let value: PdfObject
  try {
    value = acceptKeyword(cursor, 'endobj') ? null : readValue(cursor, 'file')
  } finally {
    meter.spend(cursor.position - valueStart)
  }
  if (isDictionary(value) && acceptKeyword(cursor, 'stream')) {
    const data = streamData(cursor, value, resolveLength, meter)
    value = { kind: 'stream', dictionary: value, data, owner: header }
    cursor.position = data.end
    acceptKeyword(cursor, 'endstream')
  }
  acceptKeyword(cursor, 'endobj')
  const { number, generation } = header
  return { number, generation, value, span: { start, end: cursor.position } }
}

/** Reads `17 0 obj` and moves behind it, or stays and returns undefined. */
export function acceptObjectHeader(
  cursor: Cursor,
): { number: number; generation: number } | undefined {
  const start = cursor.position
  const number = acceptInteger(cursor)
  const generation = number === undefined ? undefined : acceptInteger(cursor)
  if (number !== undefined && generation !== undefined && acceptKeyword(cursor, 'obj'))
    return { number, generation }
  cursor.position = start
  return undefined
}

function streamData(
  cursor: Cursor,
  dictionary: PdfDictionary,
  resolveLength: LengthResolver,
  meter: WorkMeter,
): Span {
  const { bytes } = cursor
  const start = skipLineEnd(cursor)
  const length = asCount(resolveLength(dictionary.entries.get('Length')))
  if (length !== undefined && start + length <= bytes.length) {
    const behind: Cursor = { bytes, position: start + length }
    if (acceptKeyword(behind, 'endstream')) return { start, end: start + length }
  }
  return { start, end: searchedEnd(cursor, start, meter) }
}

/** A /Length that lies: the data ends before the line end in front of the next `endstream`. */
function searchedEnd({ bytes }: Cursor, start: number, meter: WorkMeter): number {
  const found = bytes.indexOf('endstream', start, bytes.length)
  meter.spend(((found < 0 ? bytes.length : found) - start) >> 3)
  if (found < 0) throw new PdfError('damaged', `the stream at byte ${start} has no end`)
  let end = found
  if (end > start && bytes.at(end - 1) === 10) end--
  if (end > start && bytes.at(end - 1) === 13) end--
  return end
}

function skipLineEnd({ bytes, position }: Cursor): number {
  let start = position
  while (bytes.at(start) === 0x20) start++
  if (bytes.at(start) === 13 && bytes.at(start + 1) === 10) return start + 2
  return isEndOfLine(bytes.at(start)) ? start + 1 : position
}
