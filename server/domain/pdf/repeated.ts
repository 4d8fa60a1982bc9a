import type { PdfName } from './object.ts'

/** What one file repeats very often and is kept once: each value of its own takes memory. */
export type Repeated = {
  names: Map<string, PdfName> | undefined
  /** By a sum of the keys. */
  keys: Map<number, readonly string[]> | undefined
}

/** A reader of the file. */
type Reader = { readonly repeated: Repeated }

export const nothingRepeated = (): Repeated => ({ names: undefined, keys: undefined })

/** More kinds, and longer words, are of no honest file: they are not kept. */
const [MOST_KEPT, LONGEST] = [512, 32] as const

/** The same value for the same name of a file, where possible. */
export function sharedName({ repeated }: Reader, value: string): PdfName {
  const known = repeated.names?.get(value)
  if (known) return known
  const name: PdfName = { kind: 'name', value }
  repeated.names ??= new Map()
  if (repeated.names.size < MOST_KEPT && value.length <= LONGEST) repeated.names.set(value, name)
  return name
}

/** The keys from `start` to `end`: the same list for the same keys of a file, where possible. */
export function sharedKeys(
  { repeated }: Reader,
  keys: readonly string[],
  start: number,
  end: number,
): readonly string[] {
  let sum = end - start
  for (let at = start; at < end; at++) {
    const key = keys[at]!
    if (key.length > LONGEST) return keys.slice(start, end)
    sum = (sum * 31 + key.length * 7 + key.charCodeAt(0) + key.charCodeAt(key.length - 1)) | 0
  }
  const known = repeated.keys?.get(sum)
  if (known && isPart(known, keys, start, end)) return known
  const list = keys.slice(start, end)
  repeated.keys ??= new Map()
  if (repeated.keys.size < MOST_KEPT) repeated.keys.set(sum, list)
  return list
}

function isPart(
  known: readonly string[],
  keys: readonly string[],
  start: number,
  end: number,
): boolean {
  if (known.length !== end - start) return false
  for (let at = start; at < end; at++) if (keys[at] !== known[at - start]) return false
  return true
}
