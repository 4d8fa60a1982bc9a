import type { PdfDictionary } from './object.ts'

/**
 * Where an object lies. Offsets count from the start of the file, whatever the file says.
 *
 * @see ISO 32000-2:2020, 7.5.4 and 7.5.8
 */
export type CrossReferenceEntry =
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number }
  | { readonly kind: 'free'; readonly generation: number }

/** One cross-reference table or stream, with the trailer that belongs to it. */
export type CrossReferenceSection = {
  readonly kind: 'table' | 'stream'
  /** Of the keyword `xref`, or of the stream's object. */
  readonly offset: number
  /** Behind the trailer dictionary, or behind the stream's `endobj`. */
  readonly end: number
  readonly entries: ReadonlyMap<number, CrossReferenceEntry>
  readonly trailer: PdfDictionary
  /** A table and the stream beside it (/XRefStm) name two places for one object. */
  readonly isContradictory: boolean
}

/** Maps laid over each other; where two name the same object, the later map counts. */
export function overlaid(
  maps: readonly ReadonlyMap<number, CrossReferenceEntry>[],
): ReadonlyMap<number, CrossReferenceEntry> {
  // Large files have one revision and a million entries: they are not copied.
  if (maps.length === 1) return maps[0]!
  const entries = new Map<number, CrossReferenceEntry>()
  for (const map of maps) for (const [number, entry] of map) entries.set(number, entry)
  return entries
}
