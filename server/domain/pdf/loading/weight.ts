import {
  isArray,
  isDictionary,
  isName,
  isStream,
  isString,
  type PdfObject,
} from '#server/domain/pdf/object.ts'

/** What a look through a value finds. */
export type Weight = {
  /** What it takes in memory, in bytes, roughly. */
  readonly bytes: number
  /** One of its dictionaries has a key twice. */
  readonly repeatsKeys: boolean
}

/** Bytes that values take in memory, roughly: of an object, a small value, a string, an array, a dictionary, an item. */
const [ENTRY, SMALL, STRING, ARRAY, DICTIONARY, ITEM] = [200, 40, 320, 120, 140, 16] as const

/** One for all objects of a file: to weigh them should take no memory. */
export class Weigher {
  #bytes = 0
  #repeatsKeys = false

  weigh(value: PdfObject): Weight {
    this.#bytes = ENTRY
    this.#repeatsKeys = false
    this.#add(value)
    return { bytes: this.#bytes, repeatsKeys: this.#repeatsKeys }
  }

  #add(value: PdfObject): void {
    if (typeof value === 'number' || value === null) return
    if (isName(value)) this.#bytes += SMALL + value.value.length
    else if (isString(value)) this.#bytes += STRING + value.bytes.length
    else if (isArray(value)) {
      this.#bytes += ARRAY + 8 * value.items.length
      for (const item of value.items) this.#add(item)
    } else {
      const dictionary = isStream(value) ? value.dictionary : value
      if (!isDictionary(dictionary)) this.#bytes += SMALL
      else {
        this.#bytes += DICTIONARY
        this.#repeatsKeys ||= dictionary.repeatedKeys !== undefined
        dictionary.entries.forEach(this.#addEntry)
      }
    }
  }

  readonly #addEntry = (item: PdfObject, key: string): void => {
    this.#bytes += ITEM + key.length
    this.#add(item)
  }
}
