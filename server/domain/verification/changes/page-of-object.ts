import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'

/** Ways out of a page into the rest of the document. */
const WAYS_OUT = new Set(['Parent', 'P', 'Dest', 'D', 'A', 'StructParents', 'Pg', 'B', 'Popup'])
/** Enough to name a page; a stranger's file must not make us walk it over and over. */
const MAX_STEPS = 200_000

/** The first page, counted from 1, that uses each of the objects. */
export function pagesOfObjects(
  document: PdfDocument,
  wanted: ReadonlySet<number>,
): Map<number, number> {
  const found = new Map<number, number>()
  let steps = 0
  for (const [index, page] of pagesOf(document).entries()) {
    const seen = new Set<number>()
    const waiting: PdfObject[] = [page.ref ?? page.dictionary, ...page.inherited.values()]
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (++steps > MAX_STEPS || found.size === wanted.size) return found
      if (isRef(value)) {
        if (seen.has(value.number)) continue
        seen.add(value.number)
        if (wanted.has(value.number) && !found.has(value.number)) found.set(value.number, index + 1)
        waiting.push(document.resolve(value))
      } else if (isArray(value)) for (const item of value.items) waiting.push(item)
      else for (const [key, item] of entriesOf(value)) if (!WAYS_OUT.has(key)) waiting.push(item)
    }
  }
  return found
}
