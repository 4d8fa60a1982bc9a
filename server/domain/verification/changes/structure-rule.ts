import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import { addedItems } from './added-items.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, other } from './finding.ts'
import { numberTree } from './number-tree.ts'
import { catalogNumberIn, numberOf } from './places.ts'
import { type EdgeFilter, reachOf } from './reach.ts'
import type { NewSignatureField } from './signature-field-rule.ts'
import { catalogNumber } from './trailer-rule.ts'

/** What an element of the structure says when it only stands for a widget: no text of its own. */
const ELEMENT_KEYS = new Set(['Type', 'S', 'P', 'Pg', 'K', 'ID', 'Lang'])

/**
 * The structure of a tagged document may gain elements for the widgets of new signature fields; what it
 * said about the content must stay.
 *
 * @see ISO 32000-2:2020, 14.7
 */
export function judgeStructure(
  comparison: Comparison,
  newFields: readonly NewSignatureField[],
): Judgement {
  const { before, after, isSame } = comparison
  const root = (document: PdfDocument) => document.catalog.entries.get('StructTreeRoot')
  if ((root(before) ?? null) === null) {
    const findings = root(after) ? [structureChanged(catalogNumber(comparison))] : []
    return { findings, judged: new Set() }
  }
  if (!isSame(root(before), root(after)))
    return { findings: [structureChanged(catalogNumber(comparison))], judged: new Set() }
  const widgets = new Set(newFields.flatMap((field) => field.widgets))
  const judged = new Set(
    changedStructure(comparison).filter((number) => isOnlyExtended(comparison, number, widgets)),
  )
  return { findings: [], judged }
}

const structureChanged = (number: number): Finding => other(number, changeFact('structure-changed'))

/** Changed objects to which nothing but the structure leads. */
function changedStructure(comparison: Comparison): number[] {
  if (comparison.changed.size === 0) return []
  const outside = [comparison.before, comparison.after].map((document) =>
    reachOf(document, outsideStructure(document)),
  )
  return [...comparison.changed].filter((number) => !outside.some(({ roles }) => roles.has(number)))
}

/** Not through the catalog, nor by bookmarks that lead to elements. @see ISO 32000-2:2020, table 151, entry "SE" */
function outsideStructure(document: PdfDocument): EdgeFilter {
  const catalog = catalogNumberIn(document)
  const bookmarks = bookmarksOf(document)
  return (number, path) =>
    !(number === catalog && path === 'StructTreeRoot') && !(path === 'SE' && bookmarks.has(number))
}

/** The objects of the outline's items. */
function bookmarksOf(document: PdfDocument): ReadonlySet<number> {
  const found = new Set<number>()
  const outline = entriesOf(document.resolve(document.catalog.entries.get('Outlines')))
  const waiting = [outline.get('First')]
  while (waiting.length > 0) {
    const item = waiting.pop()
    if (!isRef(item) || found.has(item.number)) continue
    found.add(item.number)
    const entries = entriesOf(document.object(item.number)?.value)
    waiting.push(entries.get('First'), entries.get('Next'))
  }
  return found
}

/** The tree that leads from the content back to its elements, where it is an object of its own. */
function parentTree(document: PdfDocument): EdgeFilter {
  const catalog = catalogNumberIn(document)
  const root = numberOf(document.catalog.entries.get('StructTreeRoot'))
  return (number, path) =>
    (number === root && path === 'ParentTree') ||
    (number === catalog && path === 'StructTreeRoot/ParentTree')
}

const isParentTree = (comparison: Comparison, number: number) =>
  comparison.reachBefore.roles.get(number)?.has('ParentTree') === true &&
  !comparison.changedBesides(parentTree).has(number)

function isOnlyExtended(
  comparison: Comparison,
  number: number,
  widgets: ReadonlySet<number>,
): boolean {
  const { before, after, isSame } = comparison
  if (isParentTree(comparison, number))
    return isTreeExtended(comparison, { kind: 'ref', number, generation: 0 }, undefined)
  const old = entriesOf(before.object(number)?.value)
  const now = entriesOf(after.object(number)?.value)
  return [...new Set([...old.keys(), ...now.keys()])].every((key) => {
    if (key === 'ParentTreeNextKey') return true
    if (key === 'ParentTree') return isTreeExtended(comparison, old.get(key), now.get(key))
    if (key !== 'K') return isSame(old.get(key), now.get(key))
    const kids = addedItems(
      listOf(before.resolve(old.get(key)), old.get(key)),
      listOf(after.resolve(now.get(key)), now.get(key)),
      isSame,
    )
    return !kids.isRearranged && kids.added.every((kid) => standsForWidget(after, kid, widgets))
  })
}

/** /K is a list or its only item. */
const listOf = (resolved: PdfObject, written: PdfObject | undefined): PdfObject =>
  isArray(resolved) ? resolved : { kind: 'array', items: written === undefined ? [] : [written] }

/** @param now undefined when the tree is the same object in both documents */
function isTreeExtended(
  { before, after, isSame }: Comparison,
  old: PdfObject | undefined,
  now: PdfObject | undefined,
): boolean {
  const entries = numberTree(after, now ?? old)
  return [...numberTree(before, old)].every(([key, value]) => isSame(value, entries.get(key)))
}

function standsForWidget(
  after: PdfDocument,
  element: PdfObject,
  widgets: ReadonlySet<number>,
): boolean {
  const entries = entriesOf(after.resolve(element))
  const kids = listOf(after.resolve(entries.get('K')), entries.get('K'))
  return (
    [...entries.keys()].every((key) => ELEMENT_KEYS.has(key)) &&
    isArray(kids) &&
    kids.items.every((kid) => {
      const object = entriesOf(after.resolve(kid)).get('Obj')
      return isRef(object) && widgets.has(object.number)
    })
  )
}
