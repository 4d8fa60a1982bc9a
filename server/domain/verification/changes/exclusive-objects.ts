import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'

/**
 * Objects that the values lead to, then or now, and to which nothing else leads but places where later
 * changes are allowed.
 *
 * @throws {PdfError} `too-complex`
 */
export function exclusiveObjects(
  { before, after, isShared, spend }: Comparison,
  valuesOf: (document: PdfDocument) => readonly (PdfObject | undefined)[],
): Set<number> {
  const found = new Set<number>()
  for (const document of [before, after]) {
    const seen = new Set<number>()
    const waiting: PdfObject[] = valuesOf(document).map((value) => value ?? null)
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      spend(1)
      if (isRef(value)) {
        if (seen.has(value.number) || isShared(value.number)) continue
        seen.add(value.number)
        found.add(value.number)
        waiting.push(document.resolve(value))
      } else if (isArray(value)) for (const item of value.items) waiting.push(item)
      else
        entriesOf(value).forEach((item) => {
          waiting.push(item)
        })
    }
  }
  return found
}
