import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, isStream, type PdfObject } from '#server/domain/pdf/object.ts'

type Side = Pick<PdfDocument, 'entry' | 'object' | 'isEncrypted' | 'isRepaired'>

/**
 * Returns whether an object is the same bytes of the file in both documents: then there is nothing to compare. Never so
 * where an object was searched for, which may have been found elsewhere.
 */
export function unmovedIn(before: Side, after: Side): (number: number) => boolean {
  const containers = new Map<number, boolean>()

  function isContainerUnmoved(number: number): boolean {
    const known = containers.get(number) ?? isSameStream(before, after, number)
    containers.set(number, known)
    return known
  }

  function isSamePlace(number: number): boolean {
    const [a, b] = [before.entry(number), after.entry(number)]
    if (a?.kind === 'offset') return b?.kind === 'offset' && a.offset === b.offset
    if (a?.kind !== 'compressed' || b?.kind !== 'compressed') return false
    return a.stream === b.stream && a.index === b.index && isContainerUnmoved(a.stream)
  }

  const isRepaired = () => before.isRepaired || after.isRepaired
  return (number) => !isRepaired() && isSamePlace(number) && !isRepaired()
}

/** Whether a stream means the same, whatever became of other objects: it is not encrypted, and refers to none. */
function isSameStream(before: Side, after: Side, number: number): boolean {
  if (before.isEncrypted || after.isEncrypted) return false
  const [a, b] = [before.object(number), after.object(number)]
  const [one, other] = [a?.value ?? null, b?.value ?? null]
  if (!isStream(one) || !isStream(other) || a?.span?.start !== b?.span?.start) return false
  // The length may be an object of its own: what counts is where the data ends by it.
  const isSameData = one.data.start === other.data.start && one.data.end === other.data.end
  return isSameData && [...entriesOf(one)].every(([key, item]) => key === 'Length' || !refers(item))
}

function refers(value: PdfObject): boolean {
  if (isRef(value)) return true
  if (isArray(value)) return value.items.some(refers)
  return [...entriesOf(value).values()].some(refers)
}
