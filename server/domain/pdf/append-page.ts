import { PdfError } from './error.ts'
import type { IncrementalUpdate } from './incremental-update.ts'
import {
  array,
  entriesOf,
  isArray,
  isDictionary,
  isRef,
  name,
  type PdfRef,
  withEntries,
} from './object.ts'
import { pagesOf } from './pages.ts'

/** What the entry means where a page says nothing. */
const NEUTRAL_ROTATION = 0

/**
 * Makes a page the last one of the document. What the tree would hand down to it is cut off: a page
 * without a rotation of its own stays upright even when all others are turned.
 *
 * @param page a /Page with its own /Resources and /MediaBox, already part of the update
 * @throws {PdfError} `damaged` when the document has no page tree
 * @see ISO 32000-2:2020, 7.7.3
 */
export function appendPage(update: IncrementalUpdate, page: PdfRef): void {
  const { document } = update
  const rootRef = update.catalog().entries.get('Pages')
  const root = update.resolve(rootRef)
  const kids = isDictionary(root) ? update.resolve(root.entries.get('Kids')) : null
  const added = update.resolve(page)
  if (!isRef(rootRef) || !isDictionary(root) || !isArray(kids) || !isDictionary(added))
    throw new PdfError('damaged', 'the document has no page tree')

  const count = update.resolve(root.entries.get('Count'))
  const counted = typeof count === 'number' && count > 0 ? count : pagesOf(document).length
  const kidsRef = root.entries.get('Kids')
  const longer = array([...kids.items, page])
  if (isRef(kidsRef)) update.set(kidsRef, longer)
  update.set(
    rootRef,
    withEntries(root, { Kids: isRef(kidsRef) ? kidsRef : longer, Count: counted + 1 }),
  )

  const handedDown = entriesOf(root)
  const own = added.entries
  update.set(
    page,
    withEntries(added, {
      Type: name('Page'),
      Parent: rootRef,
      ...(handedDown.has('Rotate') && !own.has('Rotate') ? { Rotate: NEUTRAL_ROTATION } : {}),
      ...(handedDown.has('CropBox') && !own.has('CropBox')
        ? { CropBox: own.get('MediaBox') ?? null }
        : {}),
    }),
  )
}
