import type { ByteReader } from './byte-reader.ts'
import type { PdfObject } from './object.ts'
import { sharedKeys } from './repeated.ts'

/** Dictionaries with more keys get a map: to find one of many keys in a list takes long. */
const MOST_LISTED = 16

/** The entries of a dictionary while it is read. */
export type EntryCollector = {
  readonly keys: string[]
  readonly values: PdfObject[]
  /** The place of each key, when there are many. */
  places?: Map<string, number>
}

export const entryCollector = (): EntryCollector => ({ keys: [], values: [] })

/** @returns what the key had before, which is replaced; undefined for a new key */
export function addEntry(
  entries: EntryCollector,
  key: string,
  value: PdfObject,
): PdfObject | undefined {
  const { keys, values } = entries
  const at = entries.places ? (entries.places.get(key) ?? -1) : keys.indexOf(key)
  if (at >= 0) {
    const before = values[at]
    values[at] = value
    return before
  }
  entries.places?.set(key, keys.length)
  keys.push(key)
  values.push(value)
  if (keys.length === MOST_LISTED + 1)
    entries.places = new Map(keys.map((one, index) => [one, index]))
  return undefined
}

export function collectedEntries(
  bytes: ByteReader,
  { keys, values }: EntryCollector,
): ReadonlyMap<string, PdfObject> {
  if (keys.length > MOST_LISTED) return new Map(keys.map((key, at) => [key, values[at]!]))
  return new ListedEntries(sharedKeys(bytes, keys), values.slice())
}

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

  forEach(
    use: (value: PdfObject, key: string, map: ReadonlyMap<string, PdfObject>) => void,
    self?: unknown,
  ): void {
    this.#keys.forEach((key, at) => {
      use.call(self, this.#values[at]!, key, this)
    })
  }
}
