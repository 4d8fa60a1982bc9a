import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'

/**
 * Whether the resources of a page have a name: some readers look there for what those of a look lack. For `once`.
 *
 * @see ISO 32000-2:2020, 7.8.3
 */
export function namesOfPages(document: PdfDocument): (kind: string, name: string) => boolean {
  const names = new Map<string, Set<string>>()
  // Pages share their resources.
  const seen = new Set<string | PdfObject>()
  const entriesOnce = (kind: string, written: PdfObject = null) => {
    const key = isRef(written) ? `${kind} ${written.number}` : written
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew ? entriesOf(document.resolve(written)) : []
  }
  for (const { inherited } of document.once(pagesOf))
    for (const [kind, written] of entriesOnce('Resources', inherited.get('Resources'))) {
      const known = names.get(kind) ?? new Set()
      names.set(kind, known)
      for (const [name] of entriesOnce(kind, written)) known.add(name)
    }
  return (kind, name) => names.get(kind)?.has(name) === true
}
