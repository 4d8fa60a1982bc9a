import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { MAX_TREE_DEPTH } from '#server/domain/pdf/limits.ts'
import {
  entriesOf,
  isDictionary,
  isRef,
  type PdfDictionary,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { type PdfPage, pagesOf } from '#server/domain/pdf/pages.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { addedItems } from './added-items.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, knownAs, other } from './finding.ts'
import { harmOf } from './harmless-annotation.ts'
import { pageNumbers } from './places.ts'
import type { EdgeFilter } from './reach.ts'
import { type NewSignatureField, unlistedSignature } from './signature-field-rule.ts'

/**
 * A page may gain the widgets of new signature fields among its annotations, each widget once, and notes and
 * marks that are called so; all else of it must stay, be it its own or inherited.
 *
 * @see ISO 32000-2:2020, 7.7.3.3
 */
export function judgePages(
  comparison: Comparison,
  newFields: readonly NewSignatureField[],
): Judgement {
  const free = new Set(newFields.flatMap((field) => field.widgets))
  const findings: Finding[] = []
  const judged = new Set<number>()
  const lists: number[] = []
  pagesOf(comparison.before).forEach((page, index) => {
    if (!page.ref) return
    const annotations = page.dictionary.entries.get('Annots')
    const objects = [page.ref, ...(isRef(annotations) ? [annotations] : [])]
    if (!objects.some(({ number }) => comparison.changed.has(number))) return
    for (const finding of judgePage(comparison, page, index + 1, free)) findings.push(finding)
    judged.add(page.ref.number)
    if (isRef(annotations)) lists.push(annotations.number)
  })
  const besides = lists.length > 0 ? comparison.changedBesides(annotationLists) : new Set()
  for (const number of lists) if (!besides.has(number)) judged.add(number)
  return { findings, judged }
}

/** Where pages list their annotations. */
function annotationLists(document: PdfDocument): EdgeFilter {
  const pages = pageNumbers(document)
  return (number, path) => path === 'Annots' && pages.has(number)
}

/** Judged item by item, or nothing that is seen: the order of the tab key, a date. */
const OPEN_KEYS = new Set(['Annots', 'Tabs', 'LastModified'])

const CODES: Record<
  string,
  'page-content-replaced' | 'page-resources-changed' | 'page-actions-changed'
> = {
  Contents: 'page-content-replaced',
  Resources: 'page-resources-changed',
  AA: 'page-actions-changed',
}

function judgePage(
  comparison: Comparison,
  page: PdfPage,
  pageNumber: number,
  free: Set<number>,
): Finding[] {
  const { before, after, isSame } = comparison
  const number = page.ref!.number
  const old = page.dictionary.entries
  const now = entriesOf(after.object(number)?.value)
  const isKept = (key: string) =>
    isSame(old.get(key), now.get(key)) || wasInherited(comparison, page, key, now.get(key))
  const findings = [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => !OPEN_KEYS.has(key) && !isKept(key))
    .map((key) => {
      const code = Object.hasOwn(CODES, key) ? CODES[key] : undefined
      const fact = code
        ? changeFact(code, { page: pageNumber })
        : changeFact('page-entry-changed', { page: pageNumber, key })
      return other(number, fact, pageNumber)
    })

  const annotations = addedItems(
    before.resolve(old.get('Annots')),
    after.resolve(now.get('Annots')),
    isSame,
  )
  if (annotations.isRearranged)
    findings.push(
      knownAs(
        'shadow-hide',
        other(
          number,
          changeFact('annotations-removed-or-reordered', { page: pageNumber }),
          pageNumber,
        ),
      ),
    )
  for (const item of annotations.added)
    if (!takeWidget(item, free))
      findings.push(added(comparison, item, { page, number, pageNumber }))
  return findings
}

/**
 * iText writes what a page inherits into the page when it signs there. Some readers take it from the nodes that lead to
 * the page, others from those that the page calls its parents: both must have found this value.
 *
 * @see ISO 32000-2:2020, 7.7.3.4
 */
function wasInherited(
  { before, isSame }: Comparison,
  { dictionary, inherited }: PdfPage,
  key: string,
  now: PdfObject | undefined,
): boolean {
  const isOwn = dictionary.entries.has(key)
  return (
    !isOwn &&
    inherited.has(key) &&
    isSame(inherited.get(key), now) &&
    isSame(ofParents(before, dictionary, key), now)
  )
}

/** The value of the nearest node that the page calls its parent, or a parent of that. */
function ofParents(
  document: PdfDocument,
  { entries }: PdfDictionary,
  key: string,
  depth = 0,
): PdfObject | undefined {
  const parent = document.resolve(entries.get('Parent'))
  if (!isDictionary(parent) || depth > MAX_TREE_DEPTH) return undefined
  return parent.entries.get(key) ?? ofParents(document, parent, key, depth + 1)
}

function added(
  comparison: Comparison,
  item: PdfObject,
  { page, number, pageNumber }: { page: PdfPage; number: number; pageNumber: number },
): Finding {
  const object = isRef(item) ? item.number : number
  const harm = harmOf(comparison, item, page)
  if (harm !== 'overlay') {
    const code = harm === 'none' ? 'note-added' : 'note-may-cover-content'
    return {
      level: 'ANNOTATIONS',
      object,
      page: pageNumber,
      ...changeFact(code, { page: pageNumber }),
    }
  }
  const unlisted = unlistedSignature(comparison, item)
  if (unlisted)
    return {
      level: 'FORM_FILLING',
      object,
      page: pageNumber,
      ...changeFact('unlisted-signature-added', { field: unlisted.name, page: pageNumber }),
    }
  const fact = changeFact('annotation-added', { page: pageNumber })
  return knownAs('overlay-by-annotation', other(object, fact, pageNumber))
}

/** True for the widget of a new signature field that no page showed yet. */
const takeWidget = (item: PdfObject, free: Set<number>) => isRef(item) && free.delete(item.number)
