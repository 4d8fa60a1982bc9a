import { memorySource } from '#server/domain/bytes.ts'
import { byteReader } from './byte-reader.ts'
import { isDigit, latin1 } from './characters.ts'
import { PdfError } from './error.ts'
import { type Cursor, readRegular, skipWhiteSpace } from './lexer.ts'
import type { PdfObject } from './object.ts'
import { readValue } from './parser.ts'
import { plainValueEnd } from './strict/strict-syntax.ts'

/** One instruction of a content stream. @see ISO 32000-2:2020, annex A */
export type ContentOperation = {
  readonly operator: string
  readonly operands: readonly PdfObject[]
  /** Where the operator ends in the data. */
  readonly end: number
}

/** The appearance of a field or a mark has some tens; a page disguised as one has more. */
export const MAX_OPERATIONS = 20_000
/** A seal that a program traced from a picture has an instruction for each of its curves. */
export const MAX_OPERATIONS_OF_SEAL = 100_000
const MAX_OPERANDS = 64

/** With what numbers, names, strings, arrays and dictionaries begin. */
const VALUE_STARTS = new Set([...'0123456789+-./(<['].map((one) => one.charCodeAt(0)))

/**
 * The instructions of a content stream. An inline image ends them: its data is no syntax. An operand that is not
 * written as the standard says is null: readers repair `5-30` to 5, 530 or 0.
 *
 * @param data decoded
 * @param start where the first instruction begins
 * @param most how many instructions there may be
 * @throws {PdfError} `damaged`, `too-complex`
 * @see ISO 32000-2:2020, 7.8.2
 */
export function* contentOperations(
  data: Uint8Array,
  start = 0,
  most = MAX_OPERATIONS,
): Generator<ContentOperation> {
  const cursor: Cursor = { bytes: byteReader(memorySource(data)), position: start }
  let operands: PdfObject[] = []
  for (let count = 0; count < most; ) {
    skipWhiteSpace(cursor)
    const next = cursor.bytes.at(cursor.position)
    if (next < 0) return
    if (VALUE_STARTS.has(next)) {
      operands.push(readOperand(cursor, data))
      if (operands.length > MAX_OPERANDS) throw new PdfError('too-complex', 'too many operands')
      continue
    }
    const operator = readRegular(cursor)
    if (operator === '') cursor.position++
    yield { operator, operands, end: cursor.position }
    if (operator === 'BI') return
    operands = []
    count++
  }
  throw new PdfError('too-complex', 'too many instructions')
}

function readOperand(cursor: Cursor, data: Uint8Array): PdfObject {
  const start = cursor.position
  const value = readValue(cursor, 'object-stream')
  // How a string ends decides what it is: readers agree about it.
  if (data[start] === 0x28) return value
  if (typeof value === 'number' && isPlainNumber(data, start, cursor.position)) return value
  const written = latin1(data.subarray(start, cursor.position))
  const isPlain = PLAIN_NAME.test(written) || plainValueEnd(written, 0) === written.length
  return isPlain ? value : null
}

/** Most names are written without codes. */
const PLAIN_NAME = /^\/[^#]*$/

/** Digits with at most one sign in front and one point, as most operands are. */
function isPlainNumber(data: Uint8Array, start: number, end: number): boolean {
  const first = data[start] === 0x2b || data[start] === 0x2d ? start + 1 : start
  let [digits, points] = [0, 0]
  for (let at = first; at < end; at++) {
    if (isDigit(data[at]!)) digits++
    else if (data[at] === 0x2e) points++
    else return false
  }
  return digits > 0 && points <= 1
}
