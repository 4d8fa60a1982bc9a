import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import type { Irregularity } from '#server/domain/pdf/strict/irregularity.ts'
import { type Reading, surveyOf } from '#server/domain/pdf/strict/survey.ts'
import { isSameValue } from './changes/compare-values.ts'
import { pagesOfObjects } from './changes/page-of-object.ts'
import { type Reach, reachOf, whatReadersFollow } from './changes/reach.ts'
import { changeFact } from './codes/change-codes.ts'
import { type Warning, warning } from './codes/warning.ts'
import type { FoundSignature } from './find-signatures.ts'
import type { Change } from './report.ts'

/** An object of the document that programs read in two ways. */
export type Contradiction = {
  readonly object: number
  /** Where in the file the later of the two stands. */
  readonly place: number
  /** It belongs to what the pages show. */
  readonly isSeen: boolean
  readonly page?: number
}

/** What stands in the file beside what its cross-reference leads to. */
export type Strictness = {
  /** Of the revisions after the first signed one. */
  readonly irregularities: readonly Irregularity[]
  readonly contradictions: readonly Contradiction[]
  /** Programs may see two documents, wherever that is written. */
  readonly isAmbiguous: boolean
  /** The first revision after a signature; undefined when there is none. */
  readonly from?: number | undefined
}

/**
 * Reads the file as programs read it that trust its rows and as those that search it, and looks for what
 * any of them has to repair after a signature.
 */
export function strictnessOf(document: PdfDocument, found: readonly FoundSignature[]): Strictness {
  if (found.length === 0 || document.isRebuilt)
    return { irregularities: [], contradictions: [], isAmbiguous: false }
  try {
    const from = strictFrom(found)
    const { irregularities, readings, hasOtherRoot } = surveyOf(document, from)
    const contradictions = contradictionsOf(document, readings)
    const isListedTwice = (number: number) =>
      document.revisions.filter(({ entries }) => entries.has(number)).length > 1
    const isAmbiguous =
      hasOtherRoot || contradictions.length > 0 || leadsAstray(document, isListedTwice)
    return { irregularities, contradictions, isAmbiguous, from }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return { irregularities: [], contradictions: [], isAmbiguous: true }
  }
}

/**
 * A row leads an object astray that another revision lists, too: some readers look for the object, others go back to
 * the other row, or show nothing. Where all readers have to look for it, all see the same.
 */
function leadsAstray(
  document: PdfDocument,
  isListedElsewhere: (number: number) => boolean,
): boolean {
  const numbers = [...document.misplaced].filter(isListedElsewhere)
  if (numbers.length === 0) return false
  const { roles } = reachOf(document, whatReadersFollow)
  return numbers.some((number) => roles.has(number))
}

/**
 * Whether programs may see two documents in what was signed. Where the revisions after the first signature are as they
 * must be, none of them makes two documents of one: only what was signed first is looked at.
 *
 * @param signed the document as it was signed
 * @param revision which one of the revisions of `document` was signed
 * @throws {PdfError} `too-complex`
 */
export function isReadInTwoWays(
  signed: PdfDocument,
  document: PdfDocument,
  revision: number,
  { irregularities, from }: Strictness,
): boolean {
  if (irregularities.length === 0 && from !== revision + 1) return false
  const later = document.revisions.slice(revision + 1)
  const { readings, hasOtherRoot } = surveyOf(signed, undefined)
  return (
    signed.isRebuilt ||
    hasOtherRoot ||
    leadsAstray(signed, (number) => later.some(({ entries }) => entries.has(number))) ||
    contradictionsOf(signed, readings).length > 0
  )
}

/** The first revision that stands after a signature. */
function strictFrom(found: readonly FoundSignature[]): number | undefined {
  const signed = found.flatMap(({ coverage: { coverage, revision } }) =>
    coverage === 'ENTIRE_REVISION' && revision !== undefined ? [revision + 1] : [],
  )
  return signed.length === 0 ? undefined : Math.min(...signed)
}

function contradictionsOf(
  document: PdfDocument,
  readings: readonly Reading[],
): readonly Contradiction[] {
  if (readings.length === 0 || document.isLocked) return []
  const reach = reachOf(document, whatReadersFollow)
  const places = new Map<number, number>()
  for (const { document: other, differing } of readings) {
    const sides = { a: document, b: other, followsReferences: false }
    for (const [number, place] of differing) {
      if (!reach.roles.has(number)) continue
      const [one, two] = [document, other].map((side) => side.object(number)?.value ?? null)
      if (isSameValue(one!, two!, sides)) continue
      const own = document.object(number)?.span?.start ?? 0
      places.set(number, Math.max(place, own, places.get(number) ?? 0))
    }
  }
  const pages = pagesOfObjects(document, new Set(places.keys()))
  return [...places].map(([object, place]) => {
    const page = pages.get(object)
    const isSeen = page !== undefined || isPartOfPageTree(reach, object)
    return { object, place, isSeen, ...(page !== undefined && { page }) }
  })
}

const isPartOfPageTree = ({ roles }: Reach, number: number) =>
  ['Root', 'Pages', 'Kids'].some((key) => roles.get(number)?.has(key))

/** What some programs show instead of what was signed. */
export function contradictingChanges(
  document: PdfDocument,
  { contradictions }: Strictness,
  found: FoundSignature,
): Change[] {
  const end = endOf(found)
  if (end === undefined) return []
  return contradictions
    .filter(({ place, isSeen }) => isSeen && place >= end)
    .slice(0, MAX_CHANGES)
    .map(({ object, place, page }) => ({
      revision: revisionOf(document, place),
      level: 'OTHER',
      object: `${object} ${document.object(object)?.generation ?? 0}`,
      ...(page !== undefined && { page }),
      ...changeFact('other-version-after-signature', { object, page: page ?? null }),
      attack: 'incremental-saving',
    }))
}

const MAX_CHANGES = 20

const revisionOf = ({ revisions }: PdfDocument, place: number) =>
  (revisions.find(({ end }) => place < end)?.index ?? revisions.length) + 1

/** Why programs may show different documents because of what was added after the signature. */
export function doubtsAbout({ irregularities }: Strictness, found: FoundSignature): Warning[] {
  const end = endOf(found)
  if (end === undefined) return []
  const first = irregularities.find(({ offset }) => offset >= end)
  if (!first) return []
  return [warning('irregular-after-signature', { byte: first.offset })]
}

function endOf({ coverage: { coverage, byteRange } }: FoundSignature): number | undefined {
  return coverage === 'UNCLEAR' || !byteRange ? undefined : byteRange[2] + byteRange[3]
}
