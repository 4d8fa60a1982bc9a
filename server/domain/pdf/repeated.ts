import type { ByteReader } from './byte-reader.ts'
import type { PdfName } from './object.ts'

/** What one file repeats very often and is kept once: each value of its own takes memory. */
type Repeated = {
  readonly names: Map<string, PdfName>
  /** By a sum of the keys. */
  readonly keys: Map<number, readonly string[]>
}

const REPEATED = new WeakMap<ByteReader, Repeated>()
/** More kinds, and longer words, are of no honest file: they are not kept. */
const [MOST_KEPT, LONGEST] = [512, 32] as const

function repeatedIn(bytes: ByteReader): Repeated {
  const known = REPEATED.get(bytes)
  if (known) return known
  const none: Repeated = { names: new Map(), keys: new Map() }
  REPEATED.set(bytes, none)
  return none
}

/** The same value for the same name of a file, where possible. */
export function sharedName(bytes: ByteReader, value: string): PdfName {
  const { names } = repeatedIn(bytes)
  const known = names.get(value)
  if (known) return known
  const name: PdfName = { kind: 'name', value }
  if (names.size < MOST_KEPT && value.length <= LONGEST) names.set(value, name)
  return name
}

/** The same list for the same keys of a file, where possible. */
export function sharedKeys(bytes: ByteReader, keys: readonly string[]): readonly string[] {
  let sum = keys.length
  for (const key of keys) {
    if (key.length > LONGEST) return keys.slice()
    sum = (sum * 31 + key.length * 7 + key.charCodeAt(0) + key.charCodeAt(key.length - 1)) | 0
  }
  const { keys: lists } = repeatedIn(bytes)
  const known = lists.get(sum)
  if (known?.length === keys.length && known.every((key, at) => key === keys[at])) return known
  const list = keys.slice()
  if (lists.size < MOST_KEPT) lists.set(sum, list)
  return list
}
