import type { ByteReader } from './byte-reader.ts'
import type { PdfObject } from './object.ts'
import { sharedKeys } from './repeated.ts'

/** Dictionaries with more keys get a map: to find one of many keys in a list takes long. */
const MOST_LISTED = 16

/**
 * The items of arrays and the entries of dictionaries that are being read, those of the innermost value last. Reading
 * one value never begins another one from its start, so all share two lists, which take no memory of their own each.
 */
const open: { count: number; readonly keys: string[]; readonly values: PdfObject[] } = {
  count: 0,
  keys: [],
  values: [],
}

/** Forgets what a value left that could not be read to its end. */
export function beginOutermost(): void {
  if (open.count > 0) close(0)
}

/** The place where the items or entries of a value that begins here will be. */
export const beginList = (): number => open.count

export const addItem = (value: PdfObject): void => push('', value)

/** @returns the items since `start` */
export function endArray(start: number): PdfObject[] {
  const items = open.values.slice(start, open.count)
  close(start)
  return items
}

/** The places of the keys of one dictionary, when there are many. */
export type KeyPlaces = Map<string, number>

/** @returns what the key had before, which is replaced; undefined for a new key */
export function addEntry(
  start: number,
  places: KeyPlaces | undefined,
  key: string,
  value: PdfObject,
): PdfObject | undefined {
  const at = places ? (places.get(key) ?? -1) : placeOf(key, start)
  if (at >= 0) {
    const before = open.values[at]
    open.values[at] = value
    return before
  }
  places?.set(key, open.count)
  push(key, value)
  return undefined
}

/** The places of the keys since `start` once there are so many of them that they are worth a map. */
export function placesSince(start: number, known: KeyPlaces | undefined): KeyPlaces | undefined {
  if (known || open.count - start !== MOST_LISTED + 1) return known
  const places: KeyPlaces = new Map()
  for (let at = start; at < open.count; at++) places.set(open.keys[at]!, at)
  return places
}

/** The entries since `start`. */
export function endDictionary(bytes: ByteReader, start: number): ReadonlyMap<string, PdfObject> {
  const { count, keys, values } = open
  const entries =
    count - start > MOST_LISTED
      ? new Map(keys.slice(start, count).map((key, at) => [key, values[start + at]!]))
      : new ListedEntries(sharedKeys(bytes, keys, start, count), values.slice(start, count))
  close(start)
  return entries
}

function push(key: string, value: PdfObject): void {
  open.keys[open.count] = key
  open.values[open.count] = value
  open.count++
}

function placeOf(key: string, start: number): number {
  for (let at = start; at < open.count; at++) if (open.keys[at] === key) return at
  return -1
}

/** Large values are not kept longer than they are needed. */
function close(start: number): void {
  for (let at = start; at < open.count; at++) open.values[at] = null
  open.count = start
  if (start === 0 && open.values.length > MOST_OPEN) {
    open.keys.length = 0
    open.values.length = 0
  }
}

/** Lists that became longer than those of most objects are let go. */
const MOST_OPEN = 4096

/**
 * The entries of a small dictionary. A map takes four times the memory, and large files have a hundred thousand
 * dictionaries.
 */
class ListedEntries implements ReadonlyMap<string, PdfObject> {
  readonly #keys: readonly string[]
  readonly #values: readonly PdfObject[]

  /** @param keys at most 16, each once; several dictionaries may share them */
  constructor(keys: readonly string[], values: readonly PdfObject[]) {
    this.#keys = keys
    this.#values = values
  }

  get size(): number {
    return this.#keys.length
  }

  get(key: string): PdfObject | undefined {
    const keys = this.#keys
    for (let at = 0; at < keys.length; at++) if (keys[at] === key) return this.#values[at]
    return undefined
  }

  has(key: string): boolean {
    return this.#keys.includes(key)
  }

  keys() {
    return this.#keys.values()
  }

  values() {
    return this.#values.values()
  }

  entries() {
    return this.#keys.map((key, at): [string, PdfObject] => [key, this.#values[at]!]).values()
  }

  [Symbol.iterator]() {
    return this.entries()
  }

  /** Costs no memory, unlike the lists above. */
  forEach(use: (value: PdfObject, key: string, map: ReadonlyMap<string, PdfObject>) => void): void {
    const keys = this.#keys
    for (let at = 0; at < keys.length; at++) use(this.#values[at]!, keys[at]!, this)
  }
}
