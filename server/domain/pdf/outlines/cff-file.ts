import type { Spend } from './bounds.ts'

/** A list of texts of bytes. @see Adobe Technical Note 5176, section 5 */
export type CffIndex = {
  readonly count: number
  readonly end: number
  /** @throws {RangeError} for one that is not there */
  at(index: number): Uint8Array
}

/** The operands of each operator; those of two bytes are 0x0c00 and more. */
export type CffDictionary = ReadonlyMap<number, readonly number[]>

/** @throws {RangeError} for a list that does not end, or whose texts overlap */
export function indexAt(file: Uint8Array, start: number): CffIndex {
  const view = viewOf(file)
  const count = view.getUint16(start)
  if (count === 0) return { count, end: start + 2, at: outside }
  const size = view.getUint8(start + 2)
  if (size < 1 || size > 4) throw new RangeError('a list has places of a wrong size')
  const places = start + 3
  const base = places + (count + 1) * size - 1
  const placeOf = (index: number) => {
    let place = 0
    for (let at = 0; at < size; at++)
      place = place * 256 + view.getUint8(places + index * size + at)
    return base + place
  }
  const end = placeOf(count)
  if (end > file.length || placeOf(0) !== base + 1) throw new RangeError('a list leads elsewhere')
  return {
    count,
    end,
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= count) return outside()
      const [from, to] = [placeOf(index), placeOf(index + 1)]
      if (from <= base || to < from || to > end) throw new RangeError('a list leads elsewhere')
      return file.subarray(from, to)
    },
  }
}

const outside = (): never => {
  throw new RangeError('a list has no such place')
}

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength)

/** In bytes: those of fonts have some tens. */
const MAX_DICTIONARY = 4096
/** What takes as long as so many of its bytes. */
const STEPS_OF_DICTIONARY = 30

/**
 * The entries of a dictionary. @see Adobe Technical Note 5176, section 4
 *
 * @throws {RangeError} for an operator that is there twice: readers differ in which they take
 */
export function dictionaryIn(bytes: Uint8Array, spend: Spend): CffDictionary {
  if (bytes.length > MAX_DICTIONARY) throw new RangeError('a dictionary is too long')
  spend(STEPS_OF_DICTIONARY + bytes.length)
  const view = viewOf(bytes)
  const entries = new Map<number, readonly number[]>()
  let operands: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = view.getUint8(at)
    if (first <= LAST_OPERATOR) {
      const operator = first === ESCAPE ? 0x0c00 | view.getUint8(at + 1) : first
      if (entries.has(operator)) throw new RangeError('a dictionary has an entry twice')
      entries.set(operator, operands)
      operands = []
      at += first === ESCAPE ? 2 : 1
    } else {
      const [value, length] = numberAt(view, at)
      operands.push(value)
      at += length
    }
  }
  return entries
}

const [LAST_OPERATOR, ESCAPE] = [21, 12]

/** A number of a dictionary, and how many bytes it has. */
function numberAt(view: DataView, at: number): [value: number, length: number] {
  const first = view.getUint8(at)
  if (first === 28) return [view.getInt16(at + 1), 3]
  if (first === 29) return [view.getInt32(at + 1), 5]
  if (first === 30) return realAt(view, at)
  if (first >= 32 && first <= 254) return shortNumberAt(view, at)
  throw new RangeError('a dictionary has an unknown number')
}

/** A number of one or two bytes, the same in dictionaries and letters. */
export function shortNumberAt(view: DataView, at: number): [value: number, length: number] {
  const first = view.getUint8(at)
  if (first <= 246) return [first - 139, 1]
  const second = view.getUint8(at + 1)
  return first <= 250
    ? [(first - 247) * 256 + second + 108, 2]
    : [-(first - 251) * 256 - second - 108, 2]
}

const NIBBLES = [...'0123456789', '.', 'E', 'E-', undefined, '-']
const END_OF_REAL = 15

/** Of a number. The longest that are written have some twenty. */
const MAX_DIGITS = 64

function realAt(view: DataView, start: number): [value: number, length: number] {
  let text = ''
  for (let at = start + 1; ; at++)
    for (const nibble of [view.getUint8(at) >> 4, view.getUint8(at) & 15]) {
      if (nibble === END_OF_REAL) return [realOf(text), at + 1 - start]
      if (text.length >= MAX_DIGITS) throw new RangeError('a number is too long')
      text += NIBBLES[nibble] ?? '?'
    }
}

function realOf(text: string): number {
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:E-?\d+)?$/.test(text))
    throw new RangeError('a number is no number')
  return Number(text)
}
