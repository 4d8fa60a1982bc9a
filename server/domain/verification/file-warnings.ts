import type { CrossReferenceEntry } from '#server/domain/pdf/cross-reference/cross-reference.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { endOfText } from '#server/domain/pdf/header.ts'
import { lacksRows } from '#server/domain/pdf/strict/strict-section.ts'
import { reachOf, whatReadersFollow } from './changes/reach.ts'
import { type Warning, warning } from './codes/warning.ts'
import { trueUnlessReadable } from './true-unless-readable.ts'

/** What makes it unclear which document a reader shows; any of it takes the verdict back. */
export function ambiguitiesOf(
  document: PdfDocument,
  { isHidden, isAmbiguous }: { isHidden: boolean; isAmbiguous: boolean },
): Warning[] {
  const ambiguities: Warning[] = []
  if (isHidden)
    ambiguities.push(
      document.isLocked ? warning('signatures-encrypted') : warning('part-unreadable'),
    )
  if (document.isRebuilt || isRebuiltInPart(document))
    ambiguities.push(warning('cross-reference-damaged'))
  if (!document.isRebuilt && (isAmbiguous || trueUnlessReadable(() => document.isAmbiguous)))
    ambiguities.push(warning('written-in-two-ways'))
  if (!document.isRebuilt && isTrailed(document)) ambiguities.push(warning('data-after-document'))
  return ambiguities
}

/**
 * Readers rebuild a cross-reference that leads astray. Some then read no object that is in an object stream, others
 * believe these objects more than those of a later revision.
 */
function isRebuiltInPart(document: PdfDocument): boolean {
  const { revisions } = document
  const isCompressed = ({ kind }: CrossReferenceEntry) => kind === 'compressed'
  if (!revisions.some(({ entries }) => entries.values().some(isCompressed))) return false
  const sections = revisions.flatMap((revision) => revision.sections)
  const isCut = sections.some(
    (one) => lacksRows(one) || (one.hybrid !== undefined && lacksRows(one.hybrid.stream)),
  )
  // Asked last: objects that are read on the way may have to be searched for.
  return isCut || trueUnlessReadable(() => leadsNowhere(document)) || document.isRepaired
}

/** A reference to an object that no row lists makes Poppler rebuild the cross-reference if its last section is a table. */
function leadsNowhere(document: PdfDocument): boolean {
  if (document.isLocked || document.revisions.at(-1)?.kind !== 'table') return false
  const numbers = reachOf(document, whatReadersFollow).roles.keys()
  return numbers.some((number) => (document.entry(number)?.kind ?? 'free') === 'free')
}

/** Something other than line ends and padding stands after the end of the last revision. */
export function isTrailed({ source, bytes, revisions }: PdfDocument): boolean {
  const end = revisions.at(-1)?.end ?? source.length
  return end < source.length && endOfText(bytes) > end
}

/** What is odd about the file, and harmless. */
export function warningsOf(document: PdfDocument): Warning[] {
  const warnings: Warning[] = []
  if (document.base > 0) warnings.push(warning('data-before-document'))
  if (document.isRepaired && !document.isRebuilt) warnings.push(warning('references-corrected'))
  if (document.isEncrypted) warnings.push(warning('encrypted'))
  return warnings
}
