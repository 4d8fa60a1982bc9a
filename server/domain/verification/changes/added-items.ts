import { isArray, type PdfObject } from '#server/domain/pdf/object.ts'

/**
 * What a list gained.
 *
 * @returns `isRearranged` when an old item is missing or stands in another place of the order
 */
export function addedItems(
  before: PdfObject,
  after: PdfObject,
  isSame: (a: PdfObject, b: PdfObject) => boolean,
): { added: readonly PdfObject[]; isRearranged: boolean } {
  const old = isArray(before) ? before.items : []
  const added: PdfObject[] = []
  let met = 0
  for (const item of isArray(after) ? after.items : []) {
    if (met < old.length && isSame(old[met]!, item)) met++
    else added.push(item)
  }
  return { added, isRearranged: met < old.length }
}
