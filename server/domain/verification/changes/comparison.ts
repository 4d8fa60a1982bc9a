import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { formFields } from '#server/domain/pdf/form-fields.ts'
import { isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { onceAbout } from '#server/domain/pdf/once.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { isSameValue } from './compare-values.ts'
import { linksOf } from './links.ts'
import {
  type Edge,
  type EdgeFilter,
  eachEdge,
  type Reach,
  reachOf,
  whatReadersFollow,
} from './reach.ts'
import { unmovedIn } from './unmoved.ts'

/** The document that was signed and the document as it stands, side by side. */
export type Comparison = {
  readonly before: PdfDocument
  readonly after: PdfDocument
  readonly reachBefore: Reach
  readonly reachAfter: Reach
  /** Numbers of the objects that the signed document leads to and that mean something else now. */
  readonly changed: ReadonlySet<number>
  isSame(before: PdfObject | undefined, after: PdfObject | undefined): boolean
  /** Whether anything leads to the object, then or now, but the places where later changes are allowed. */
  isShared(number: number): boolean
  /** The page of the document as it stands, counted from 1; undefined for what is none of its pages. */
  pageNumber(number: number): number | undefined
  /** What a function says about this comparison, computed once. */
  once<T>(compute: (comparison: Comparison) => T): T
  /** @throws {PdfError} `too-complex` when judging the changes costs more than an honest file does */
  spend(steps: number): void
  /**
   * Changed objects to which more leads, then or now, than the places of which a rule speaks: they are judged as what else
   * they are. What an object is called, and what calls it so, does not count: a place is a way from the catalog.
   *
   * @throws {PdfError} `encrypted`, `too-complex`
   */
  changedBesides(placesIn: PlacesIn): ReadonlySet<number>
}

/** Which ways inside the objects of a document are the places of a rule. */
export type PlacesIn = (document: PdfDocument) => EdgeFilter

/** All ways to each of the objects. */
function waysTo(
  document: PdfDocument,
  numbers: ReadonlySet<number>,
): ReadonlyMap<number, readonly Edge[]> {
  const ways = new Map<number, Edge[]>()
  eachEdge(document, whatReadersFollow, (target, edge) => {
    if (!numbers.has(target)) return
    const known = ways.get(target)
    if (known) known.push(edge)
    else ways.set(target, [edge])
  })
  return ways
}

/** Some twenty objects for each field of the largest forms. */
const MAX_STEPS = 1_000_000

/** @throws {PdfError} `damaged`, `encrypted`, `too-complex` */
export function compareDocuments(before: PdfDocument, after: PdfDocument): Comparison {
  const sides = { a: before, b: after, followsReferences: true }
  const isSame = (a: PdfObject | undefined, b: PdfObject | undefined) =>
    isSameValue(a ?? null, b ?? null, sides)
  const { reachBefore, reachAfter, changed } = changedObjects(before, after, isSame)
  let shared: Set<number> | undefined
  let pages: Map<number, number> | undefined
  let left = MAX_STEPS
  let ways: ReadonlyMap<number, readonly Edge[]>[] | undefined
  const once = onceAbout<Comparison>()
  return {
    before,
    after,
    reachBefore,
    reachAfter,
    changed,
    isSame,
    isShared(number) {
      if (shared) return shared.has(number)
      const isOutside = outsideOpenPlaces(before)
      shared = new Set([
        ...reachOf(before, isOutside).roles.keys(),
        ...reachOf(after, isOutside).roles.keys(),
      ])
      return shared.has(number)
    },
    pageNumber(number) {
      pages ??= new Map(pagesOf(after).map(({ ref }, index) => [ref?.number ?? 0, index + 1]))
      return pages.get(number)
    },
    once(compute) {
      return once(this, compute)
    },
    spend(steps) {
      left -= steps
      if (!(left >= 0)) throw new PdfError('too-complex', 'the changes are too entangled')
    },
    changedBesides(placesIn) {
      ways ??= [before, after].map((document) => waysTo(document, changed))
      const found = new Set<number>()
      for (const [side, document] of [before, after].entries()) {
        const isPlace = placesIn(document)
        for (const [number, edges] of ways[side]!)
          if (edges.some(([owner, path]) => !isPlace(owner, path))) found.add(number)
      }
      return found
    },
  }
}

/** Each object is compared when it is met: all objects of a large file do not fit into memory. */
function changedObjects(
  before: PdfDocument,
  after: PdfDocument,
  isSame: Comparison['isSame'],
): Pick<Comparison, 'reachBefore' | 'reachAfter' | 'changed'> {
  const isRepaired = () => before.isRepaired || after.isRepaired
  const isUnmoved = unmovedIn(before, after)
  const isSameObject = (number: number) =>
    isUnmoved(number) || isSame(before.object(number)?.value, after.object(number)?.value)
  const differing = new Set<number>()
  const wasRepaired = isRepaired()
  const reachBefore = reachOf(before, whatReadersFollow, (number) => {
    if (!isSameObject(number)) differing.add(number)
    // Its links are read while it is at hand.
    if (!isUnmoved(number)) linksOf(after).isArray(number)
  })
  const reachAfter = reachOf(after, whatReadersFollow)
  // Only now it is known whether any object had to be searched for.
  const isFinal = wasRepaired === isRepaired()
  const isChanged = isFinal ? differing.has.bind(differing) : (one: number) => !isSameObject(one)
  const changed = new Set([...reachBefore.roles.keys()].filter((number) => isChanged(number)))
  return { reachBefore, reachAfter, changed }
}

/**
 * Later revisions may change validation data, developer extensions, and the value and appearance of fields
 * that are not signed. The edges that lead there are left out, so that what is still reached is shared with something else.
 */
function outsideOpenPlaces(document: PdfDocument): EdgeFilter {
  const root = document.trailer.entries.get('Root')
  const catalog = isRef(root) ? root.number : -1
  const open = new Set<number>()
  for (const field of formFields(document)) {
    // What an earlier signature says is no open place.
    if (field.type === 'Sig' && document.resolve(field.value) !== null) continue
    for (const ref of [field.ref, ...field.widgets]) if (ref) open.add(ref.number)
  }
  return (number, key) => {
    if (number === catalog) return key !== 'DSS' && key !== 'Extensions'
    return !(open.has(number) && (key === 'V' || key === 'AP'))
  }
}
