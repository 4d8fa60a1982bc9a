/** What changed between the texts of two versions. */
export type TextComparison =
  | {
      kind: 'compared'
      /** In the order of the later version. */
      places: ChangedPlace[]
      /** True if there are more. */
      isCut: boolean
      /** Pages without text, as scanned ones, counted from 1: nothing of them is compared. */
      blank: { before: number[]; after: number[] }
      pages: { before: number; after: number }
    }
  /** More than half of a long text changed: no comparison line by line would help, and it would take too long. */
  | { kind: 'too-different' }

/** Lines that changed together. */
export type ChangedPlace = {
  /** On which its first line stands, from 1; null where the version has none of its lines. */
  page: { before: number | null; after: number | null }
  parts: TextPart[]
}

export type TextPart = { kind: 'same' | 'added' | 'removed'; text: string }
