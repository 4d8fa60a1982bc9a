import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { type PageContent, pageContents } from './page-content.ts'

/**
 * What each page drew when it was signed. The pages that draw the same in the latest state of the file are read there,
 * once for all signatures that are judged. For `once`.
 */
export function signedContents(comparison: Comparison): (page: PdfPage) => PageContent {
  const { before, after } = comparison
  const known = new Set<number>()
  const latest = new Map(after.once(pagesOf).map((page) => [page.ref?.number, page]))
  return (page) => {
    const now = page.ref && latest.get(page.ref.number)
    const isUnchanged = now !== undefined && drawsTheSame(comparison, page, now, known)
    return isUnchanged ? after.once(pageContents)(now) : before.once(pageContents)(page)
  }
}

/** Whether nothing changed of what the instructions of a page are made of and lead to. */
function drawsTheSame(
  comparison: Comparison,
  old: PdfPage,
  now: PdfPage,
  known: Set<number>,
): boolean {
  const { before, after, isSame } = comparison
  const values = [
    [old.dictionary.entries.get('Contents'), now.dictionary.entries.get('Contents')],
    [old.inherited.get('Resources'), now.inherited.get('Resources')],
    // Fonts that the resources lack are those of the form.
    [acroFormOf(before)?.entries.get('DR'), acroFormOf(after)?.entries.get('DR')],
  ] as const
  return (
    values.every(([a, b]) => isSame(a, b)) &&
    isUnchanged(
      comparison,
      values.map(([a]) => a ?? null),
      known,
    )
  )
}

/** @param known objects that were found to lead to nothing that changed */
function isUnchanged(
  { before, changed, spend }: Comparison,
  values: PdfObject[],
  known: Set<number>,
): boolean {
  const seen = new Set<number>()
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    if (isRef(value)) {
      if (known.has(value.number) || seen.has(value.number)) continue
      if (changed.has(value.number)) return false
      spend(1)
      seen.add(value.number)
      // One step: an object may be no more than a reference to another one, which may have changed.
      values.push(before.object(value.number)?.value ?? null)
    } else if (isArray(value)) for (const item of value.items) values.push(item)
    else for (const item of entriesOf(value).values()) values.push(item)
  }
  for (const number of seen) known.add(number)
  return true
}
