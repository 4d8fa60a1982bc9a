import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import { MAX_PAGES, MAX_TREE_DEPTH } from './limits.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isRef,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
} from './object.ts'

/** Entries that a page takes from the nodes above it. @see ISO 32000-2:2020, table 31 */
const INHERITED_ENTRIES = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

export type PdfPage = {
  /** Absent for a page that is written directly into its parent, against the rules. */
  readonly ref?: PdfRef
  readonly dictionary: PdfDictionary
  /** Its own or inherited, as they are written. */
  readonly inherited: ReadonlyMap<string, PdfObject>
}

/**
 * The pages in their order.
 *
 * @throws {PdfError} `damaged` when the tree loops, `too-complex`, `encrypted`
 * @see ISO 32000-2:2020, 7.7.3
 */
export function pagesOf(document: PdfDocument): PdfPage[] {
  if (document.isLocked && document.catalog.entries.size === 0)
    throw new PdfError('encrypted', 'the page tree is encrypted')
  const pages: PdfPage[] = []
  collect(document, document.catalog.entries.get('Pages'), new Map(), new Set(), 0, pages)
  return pages
}

function collect(
  document: PdfDocument,
  node: PdfObject | undefined,
  above: ReadonlyMap<string, PdfObject>,
  seen: Set<number>,
  depth: number,
  pages: PdfPage[],
): void {
  const value = document.resolve(node)
  if (!isDictionary(value)) return
  if (depth > MAX_TREE_DEPTH || pages.length > MAX_PAGES)
    throw new PdfError('too-complex', 'the page tree is too large')
  const inherited = new Map(above)
  for (const key of INHERITED_ENTRIES) {
    const own = value.entries.get(key)
    if (own !== undefined && own !== null) inherited.set(key, own)
  }
  const kids = document.resolve(entriesOf(value).get('Kids'))
  if (isArray(kids)) {
    if (isRef(node)) {
      if (seen.has(node.number)) throw new PdfError('damaged', 'the page tree loops')
      seen.add(node.number)
    }
    for (const kid of kids.items) collect(document, kid, inherited, seen, depth + 1, pages)
  } else {
    pages.push(
      isRef(node) ? { ref: node, dictionary: value, inherited } : { dictionary: value, inherited },
    )
  }
}
