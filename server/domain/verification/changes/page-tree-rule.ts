import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isArray, isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import type { Judgement } from './finding.ts'
import { catalogNumberIn, numberOf, pageNumbers } from './places.ts'
import type { EdgeFilter } from './reach.ts'

/** What readers look for in the page tree: a node may pass it down to its pages. @see ISO 32000-2:2020, tables 30 and 31 */
const READ_KEYS = new Set(
  (
    'Type Parent Kids Count LastModified Resources MediaBox CropBox BleedBox TrimBox ArtBox BoxColorInfo ' +
    'Contents Rotate Group Thumb B Dur Trans Annots AA Metadata PieceInfo StructParents ID PZ SeparationInfo ' +
    'Tabs TemplateInstantiated PresSteps UserUnit VP AF OutputIntents DPart'
  ).split(' '),
)

/**
 * Programs leave notes of their own in the nodes of the page tree, as iText does with its version: a word or a
 * number that no reader looks for.
 *
 * @see ISO 32000-2:2020, annex E
 */
export function judgePageTree(comparison: Comparison): Judgement {
  const { before, changed } = comparison
  const nodes = [...nodesOf(before).nodes].filter((number) => changed.has(number))
  if (nodes.length === 0) return { findings: [], judged: new Set() }
  const besides = comparison.changedBesides(pageTree)
  const judged = nodes.filter(
    (number) => !besides.has(number) && hasOnlyOtherNotes(comparison, number),
  )
  return { findings: [], judged: new Set(judged) }
}

function hasOnlyOtherNotes({ before, after, isSame }: Comparison, number: number): boolean {
  const old = entriesOf(before.object(number)?.value)
  const now = entriesOf(after.object(number)?.value)
  return [...new Set([...old.keys(), ...now.keys()])].every(
    (key) =>
      isSame(old.get(key), now.get(key)) ||
      (!READ_KEYS.has(key) && isNote(old.get(key)) && isNote(now.get(key))),
  )
}

/** A value that leads nowhere. */
const isNote = (value: PdfObject | undefined) =>
  typeof value !== 'object' || value === null || value.kind === 'string' || value.kind === 'name'

/** The nodes of the page tree, its root among them, and their lists of kids where these are objects. */
function nodesOf(document: PdfDocument): { nodes: Set<number>; lists: Set<number> } {
  const nodes = new Set<number>()
  const lists = new Set<number>()
  const waiting = [document.catalog.entries.get('Pages')]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (!isRef(node) || nodes.has(node.number)) continue
    const written = entriesOf(document.object(node.number)?.value).get('Kids')
    const kids = document.resolve(written)
    if (!isArray(kids)) continue
    nodes.add(node.number)
    lists.add(numberOf(written))
    for (const kid of kids.items) waiting.push(kid)
  }
  return { nodes, lists }
}

/** From the catalog down, and from each kid up. */
function pageTree(document: PdfDocument): EdgeFilter {
  const { nodes, lists } = nodesOf(document)
  const [catalog, pages] = [catalogNumberIn(document), pageNumbers(document)]
  return (number, path) => {
    if (path === 'Pages') return number === catalog
    if (path === 'Kids') return nodes.has(number)
    if (path === 'Parent') return nodes.has(number) || pages.has(number)
    return path === '' && lists.has(number)
  }
}
