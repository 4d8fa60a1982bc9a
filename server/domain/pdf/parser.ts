import { isRegular } from './characters.ts'
import {
  addEntry,
  addItem,
  beginList,
  beginOutermost,
  endArray,
  endDictionary,
  type KeyPlaces,
  placesSince,
} from './entries.ts'
import { PdfError } from './error.ts'
import {
  acceptInteger,
  acceptKeyword,
  type Cursor,
  numberFrom,
  readHexString,
  readLiteralString,
  readName,
  readRegular,
  skipWhiteSpace,
} from './lexer.ts'
import { MAX_NESTING } from './limits.ts'
import type { PdfArray, PdfDictionary, PdfObject, PdfString } from './object.ts'
import { sharedName } from './repeated.ts'
import { serialize } from './serialize.ts'

/** Whether positions of the cursor are positions of the file, and may be remembered as spans. */
export type Place = 'file' | 'object-stream'

/** Words that end an object: met in the middle of a value they mean that its end is missing. */
const STRUCTURE_WORDS = new Set([
  'obj',
  'endobj',
  'stream',
  'endstream',
  'xref',
  'trailer',
  'startxref',
])

/** `)`, `>`, `{` and `}` where no value ends: other readers pass over them. */
const STRAY = new Set([0x29, 0x3e, 0x7b, 0x7d])

/**
 * The value at the cursor, which then stands behind it. A word that is none of the syntax counts as null.
 *
 * @throws {PdfError} `damaged` when no value is there or its end is missing, `too-complex` when it nests
 *   too deep
 * @see ISO 32000-2:2020, 7.3
 */
export function readValue(cursor: Cursor, place: Place): PdfObject {
  beginOutermost()
  return readInner(cursor, place, 0)
}

function readInner(cursor: Cursor, place: Place, depth: number): PdfObject {
  if (depth > MAX_NESTING) throw new PdfError('too-complex', 'values nest too deep')
  skipWhiteSpace(cursor)
  const start = cursor.position
  switch (cursor.bytes.at(start)) {
    case 0x2f:
      return sharedName(cursor.bytes, readName(cursor))
    case 0x28:
      return stringValue(cursor, place, 'literal')
    case 0x3c:
      return cursor.bytes.at(start + 1) === 0x3c
        ? readDictionary(cursor, place, depth)
        : stringValue(cursor, place, 'hexadecimal')
    case 0x5b:
      return readArray(cursor, place, depth)
    default:
      return readWord(cursor)
  }
}

function stringValue(cursor: Cursor, place: Place, form: PdfString['form']): PdfString {
  const start = cursor.position
  const bytes = form === 'literal' ? readLiteralString(cursor) : readHexString(cursor)
  if (place === 'object-stream') return { kind: 'string', bytes, form }
  return { kind: 'string', bytes, form, span: { start, end: cursor.position } }
}

function readWord(cursor: Cursor): PdfObject {
  const start = cursor.position
  const integer = acceptInteger(cursor)
  if (integer !== undefined && !isRegular(cursor.bytes.at(cursor.position)))
    return numberOrRef(cursor, integer)
  cursor.position = start
  const word = readRegular(cursor)
  const number = numberFrom(word)
  if (number !== undefined) return /^\d+$/.test(word) ? numberOrRef(cursor, number) : number
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  if (word === '' && STRAY.has(cursor.bytes.at(start))) {
    cursor.position++
    return null
  }
  if (word === '' || STRUCTURE_WORDS.has(word)) {
    cursor.position = start
    throw new PdfError('damaged', `no value at byte ${start}`)
  }
  return null
}

function numberOrRef(cursor: Cursor, number: number): PdfObject {
  const afterNumber = cursor.position
  const generation = acceptInteger(cursor)
  if (generation !== undefined && acceptKeyword(cursor, 'R')) {
    if (!isRegular(cursor.bytes.at(cursor.position))) return { kind: 'ref', number, generation }
  }
  cursor.position = afterNumber
  return number
}

function readArray(cursor: Cursor, place: Place, depth: number): PdfArray {
  const start = cursor.position++
  const list = beginList()
  for (;;) {
    skipWhiteSpace(cursor)
    if (cursor.bytes.at(cursor.position) === 0x5d) break
    addItem(readInner(cursor, place, depth + 1))
  }
  cursor.position++
  const items = endArray(list)
  if (place === 'object-stream') return { kind: 'array', items }
  return { kind: 'array', items, span: { start, end: cursor.position } }
}

function readDictionary(cursor: Cursor, place: Place, depth: number): PdfDictionary {
  const { bytes } = cursor
  cursor.position += 2
  const list = beginList()
  let places: KeyPlaces | undefined
  let repeatedKeys: string[] | undefined
  while (!isBehindDictionary(cursor)) {
    if (bytes.at(cursor.position) !== 0x2f) {
      readInner(cursor, place, depth + 1)
      continue
    }
    const key = readName(cursor)
    skipWhiteSpace(cursor)
    const isMissing = bytes.at(cursor.position) === 0x3e
    const value = isMissing ? null : readInner(cursor, place, depth + 1)
    const before = addEntry(list, places, key, value)
    places = placesSince(list, places)
    if (before === undefined || serialize(before) === serialize(value)) continue
    repeatedKeys ??= []
    repeatedKeys.push(key)
  }
  const entries = endDictionary(bytes, list)
  return repeatedKeys
    ? { kind: 'dictionary', entries, repeatedKeys }
    : { kind: 'dictionary', entries }
}

/** Moves over white space, and behind the `>>` after it if there is one. */
function isBehindDictionary(cursor: Cursor): boolean {
  skipWhiteSpace(cursor)
  const { bytes, position } = cursor
  if (bytes.at(position) !== 0x3e || bytes.at(position + 1) !== 0x3e) return false
  cursor.position += 2
  return true
}
