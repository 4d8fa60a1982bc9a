import type { PdfDictionary } from '#server/domain/pdf/object.ts'
import { type CrossReferenceEntry, EntryTable } from './entry-table.ts'

export type { CrossReferenceEntry } from './entry-table.ts'

export type CrossReferenceRows = ReadonlyMap<number, CrossReferenceEntry>

/** One cross-reference table or stream, with the trailer that belongs to it. */
export type CrossReferenceSection = {
  readonly kind: 'table' | 'stream'
  /** Of the keyword `xref`, or of the stream's object. */
  readonly offset: number
  /** Behind the trailer dictionary, or behind the stream's `endobj`. */
  readonly end: number
  readonly entries: ReadonlyMap<number, CrossReferenceEntry>
  readonly trailer: PdfDictionary
  /** Of the objects that it lists more than once: the first place. `entries` has the last. */
  readonly firstEntries: ReadonlyMap<number, CrossReferenceEntry>
  /** How long the rows of a stream are together, before they are read. */
  readonly rowBytes?: number
  /** The table and the stream beside it (/XRefStm), of which `entries` is made. */
  readonly hybrid?: { readonly table: CrossReferenceRows; readonly stream: CrossReferenceSection }
  /** A table and the stream beside it (/XRefStm) name two places for one object. */
  readonly isContradictory: boolean
}

/** Collects the rows of one section; a number may be listed several times. */
export function rowCollector() {
  const entries = new EntryTable()
  const firstEntries = new EntryTable()
  return {
    entries,
    firstEntries,
    add(number: number, entry: CrossReferenceEntry): void {
      const known = entries.get(number)
      if (known && !firstEntries.has(number)) firstEntries.set(number, known)
      entries.set(number, entry)
    },
  }
}

export type RowCollector = ReturnType<typeof rowCollector>

/** Maps laid over each other; where two name the same object, the later map counts. */
export function overlaid(
  maps: readonly ReadonlyMap<number, CrossReferenceEntry>[],
): ReadonlyMap<number, CrossReferenceEntry> {
  // Large files have one revision and a million entries: they are not copied.
  if (maps.length === 1) return maps[0]!
  const entries = new EntryTable()
  for (const map of maps) entries.add(map)
  return entries
}
