import { entriesOf, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'

/** Readers draw the fields with them by name, so that a name must go on meaning the same. */
const DRAWN_BY_NAME = new Set(['Font', 'Encoding'])
/** Other resources are drawn only by appearances, which bring their own. */
const UNUSED = new Set('XObject ExtGState ColorSpace Pattern Shading ProcSet Properties'.split(' '))

/**
 * Whether the default resources of the form only gained fonts and encodings.
 *
 * @see ISO 32000-2:2020, table 224, entry "DR"
 */
export function isOnlyExtended(
  { before, after, isSame }: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const oldEntries = entriesOf(before.resolve(old))
  const newEntries = entriesOf(after.resolve(now))
  return [...new Set([...oldEntries.keys(), ...newEntries.keys()])].every((key) => {
    if (UNUSED.has(key)) return true
    if (!DRAWN_BY_NAME.has(key)) return isSame(oldEntries.get(key), newEntries.get(key))
    const named = entriesOf(after.resolve(newEntries.get(key)))
    return [...entriesOf(before.resolve(oldEntries.get(key)))].every(([name, value]) =>
      isSame(value, named.get(name)),
    )
  })
}
