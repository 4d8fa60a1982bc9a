import { joinedSource } from '#server/domain/joined-source.ts'
import { archivalNeedsOf } from '#server/domain/pdf/archival/archival-needs.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import type { PdfRef } from '#server/domain/pdf/object.ts'
import {
  signatureDictionaries,
  signatureFields,
} from '#server/domain/pdf/signature-dictionaries.ts'
import type { FieldPlace } from '#server/domain/pdf/signature-field.ts'
import { certificationLevel } from '#server/domain/pdf/signature-permissions.ts'
import { fontsShownBy } from '#server/domain/signing/fonts-shown-by.ts'
import type { SignaturePlan } from '#server/domain/signing/increment.ts'
import { cornersOf, type SheetStyle } from '#server/domain/signing/paper.ts'
import { addAppearance, drawStamp } from '#server/domain/signing/signature-appearance.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { signatureCover } from '#server/domain/verification/changes/cover/signature-cover.ts'
import { findStampPlace } from './stamp-place.ts'

export type VisiblePlace = Required<FieldPlace>

/**
 * The visible field of a signature in a document that gets no sheet; undefined where the plan wants none, where there
 * is no place, and where the document forbids it.
 */
export function placeStamp(
  update: IncrementalUpdate,
  { stamp, caption, at, zone }: SignaturePlan,
  fonts: SheetStyle,
): VisiblePlace | undefined {
  const { document } = update
  if (!stamp || !caption || rulesOutStamps(document)) return undefined
  const place = ifReadable(() => findStampPlace(readAgain(document), stamp.choice))
  if (!place) return undefined
  const { page, rectangle } = place
  const paper = drawStamp(caption, { at, zone, stamp }, rectangle, fonts)
  const earlier = signatureFields(document).flatMap(({ widgets }) => widgets)
  const known = earlier
    .map((widget) => fontsShownBy(document, widget))
    .find((shown) => shown.fonts.has(fonts.regular.name))
  const appearance = addAppearance(update, paper, known)
  return { page, visible: { rectangle: cornersOf(rectangle), appearance } }
}

/**
 * What rules out every visible field. A certification that admits forms alone says nothing about new ones, and programs
 * disagree. In PDF/A a look needs colours with a meaning, which cannot be given after a signature.
 *
 * @see ISO 32000-2:2020, table 257
 */
export function rulesOutStamps(document: PdfDocument): 'certified' | 'no-colours' | undefined {
  const levels = signatureDictionaries(document).flatMap(({ references, locks }) => [
    ...references.flatMap((one) => (one.method === 'DocMDP' ? [one.level] : [])),
    ...locks.map(({ level }) => level),
  ])
  if ([certificationLevel(document), ...levels].some((level) => level !== undefined && level !== 3))
    return 'certified'
  return document.once(archivalNeedsOf)?.colours === 'none' ? 'no-colours' : undefined
}

/** Whether our verifier finds that the look of the new field hides nothing, and cannot: it may stand on white. */
export function leavesAllToBeSeen(
  document: PdfDocument,
  increment: Uint8Array,
  field: PdfRef,
): boolean {
  const content = ifReadable(() => {
    const after = readDocument(joinedSource(document.source, increment))
    return signatureCover(compareDocuments(readAgain(document), after), [field.number]).content
  })
  return content === 'none' || content === 'above'
}

/** With an allowance of its own: looking for a place must leave enough for the signature. */
const readAgain = ({ source }: PdfDocument) => readDocument(source)

/** A stamp is no reason to refuse a signature: undefined for what cannot be read, or costs too much. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError) return undefined
    throw error
  }
}
