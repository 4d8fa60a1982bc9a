import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'

/** The entries of a number tree; each of its nodes is looked at once. @see ISO 32000-2:2020, 7.9.7 */
export function numberTree(
  document: PdfDocument,
  root: PdfObject | undefined,
): Map<number, PdfObject> {
  const found = new Map<number, PdfObject>()
  const seen = new Set<number>()
  const waiting: PdfObject[] = [root ?? null]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isRef(node)) {
      if (seen.has(node.number)) continue
      seen.add(node.number)
    }
    const entries = entriesOf(document.resolve(node))
    const numbers = document.resolve(entries.get('Nums'))
    const kids = document.resolve(entries.get('Kids'))
    if (isArray(kids)) for (const kid of kids.items) waiting.push(kid)
    if (!isArray(numbers)) continue
    for (let at = 0; at + 1 < numbers.items.length; at += 2) {
      const key = document.resolve(numbers.items[at])
      if (typeof key === 'number') found.set(key, numbers.items[at + 1]!)
    }
  }
  return found
}
