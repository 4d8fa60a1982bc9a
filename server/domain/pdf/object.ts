import type { Span } from '#server/domain/bytes.ts'

/**
 * A value of a PDF file. Numbers are plain numbers, so that `1.0` and `1` are equal; booleans and null are
 * themselves.
 *
 * @see ISO 32000-2:2020, 7.3
 */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfRef
  | PdfArray
  | PdfDictionary
  | PdfStream

/** `value` holds one character a byte, `#xx` already decoded, without the solidus. */
export type PdfName = { readonly kind: 'name'; readonly value: string }

export type PdfString = {
  readonly kind: 'string'
  readonly bytes: Uint8Array
  readonly form: 'literal' | 'hexadecimal'
  /** With its brackets, in the file; absent in an object stream and in new values. */
  readonly span?: Span
}

export type PdfRef = { readonly kind: 'ref'; readonly number: number; readonly generation: number }

export type PdfArray = {
  readonly kind: 'array'
  readonly items: readonly PdfObject[]
  /** With its brackets, in the file; absent in an object stream and in new values. */
  readonly span?: Span
}

export type PdfDictionary = {
  readonly kind: 'dictionary'
  readonly entries: ReadonlyMap<string, PdfObject>
  /** Keys that were written with two values: readers disagree about which one counts. We take the last. */
  readonly repeatedKeys?: readonly string[]
}

export type PdfStream = {
  readonly kind: 'stream'
  readonly dictionary: PdfDictionary
  /** The raw data, still encrypted and filtered, in the file. */
  readonly data: Span
  /** The numbers of its object, from which its key comes when the file is encrypted. */
  readonly owner: { readonly number: number; readonly generation: number }
}

export type IndirectObject = {
  readonly number: number
  readonly generation: number
  readonly value: PdfObject
  /** From its number to its `endobj`, in the file; absent when it lies in an object stream. */
  readonly span?: Span
}

export const name = (value: string): PdfName => ({ kind: 'name', value })

export const reference = (number: number, generation = 0): PdfRef => ({
  kind: 'ref',
  number,
  generation,
})

export const array = (items: readonly PdfObject[]): PdfArray => ({ kind: 'array', items })

export const dictionary = (
  entries: Readonly<Record<string, PdfObject>> | ReadonlyMap<string, PdfObject>,
): PdfDictionary => ({
  kind: 'dictionary',
  entries: isMap(entries) ? entries : new Map(Object.entries(entries)),
})

const isMap = (
  entries: Readonly<Record<string, PdfObject>> | ReadonlyMap<string, PdfObject>,
): entries is ReadonlyMap<string, PdfObject> => typeof entries.get === 'function'

export const byteString = (bytes: Uint8Array, form: PdfString['form'] = 'literal'): PdfString => ({
  kind: 'string',
  bytes,
  form,
})

/** The dictionary with some entries replaced; `undefined` removes one. */
export function withEntries(
  base: PdfDictionary,
  changes: Readonly<Record<string, PdfObject | undefined>>,
): PdfDictionary {
  const entries = new Map(base.entries)
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) entries.delete(key)
    else entries.set(key, value)
  }
  return { kind: 'dictionary', entries }
}

type Kind = 'name' | 'string' | 'ref' | 'array' | 'dictionary' | 'stream'

function ofKind<K extends Kind>(kind: K) {
  return (value: PdfObject | undefined): value is Extract<PdfObject, { kind: K }> =>
    typeof value === 'object' && value !== null && value.kind === kind
}

export const isName = ofKind('name')
export const isString = ofKind('string')
export const isRef = ofKind('ref')
export const isArray = ofKind('array')
export const isDictionary = ofKind('dictionary')
export const isStream = ofKind('stream')

export const isNamed = (value: PdfObject | undefined, text: string) =>
  isName(value) && value.value === text

const NO_ENTRIES: ReadonlyMap<string, PdfObject> = new Map()

/** The entries of a dictionary or of a stream's dictionary; nothing for any other value. */
export function entriesOf(value: PdfObject | undefined): ReadonlyMap<string, PdfObject> {
  if (isDictionary(value)) return value.entries
  if (isStream(value)) return value.dictionary.entries
  return NO_ENTRIES
}

/** A non-negative integer, as counts, offsets and object numbers must be; undefined for anything else. */
export function asCount(value: PdfObject | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
