import type { ByteSource } from '#server/domain/bytes.ts'
import { archivalNeedsOf } from '#server/domain/pdf/archival/archival-needs.ts'
import { sayColours } from '#server/domain/pdf/archival/output-intent.ts'
import { addPage } from '#server/domain/pdf/canvas.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import type { FormField } from '#server/domain/pdf/form-fields.ts'
import { type IncrementalUpdate, incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import { entriesOf, isArray, isDictionary, isRef, type PdfRef } from '#server/domain/pdf/object.ts'
import { shownSizeOf } from '#server/domain/pdf/page-size.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { signatureFields } from '#server/domain/pdf/signature-dictionaries.ts'
import {
  addSignatureField,
  type FieldPlace,
  fillSignatureField,
  type SignatureEntries,
} from '#server/domain/pdf/signature-field.ts'
import { fillByteRange } from '#server/domain/pdf/signature-placeholder.ts'
import { Problem } from '#server/domain/problem.ts'
import { digestOfPrepared } from './digest-of-prepared.ts'
import { fontsShownBy } from './fonts-shown-by.ts'
import type { CheckedIncrement, SheetFacts, SignaturePlan } from './increment.ts'
import { mustBeSignable } from './may-be-signed.ts'
import {
  cornersOf,
  type KnownFonts,
  placeResources,
  type Rectangle,
  type SheetFonts,
  type SheetStyle,
} from './paper.ts'
import { appendSheet, sheetsOf } from './sheet-pages.ts'
import { sheetSizeFor } from './sheet-size.ts'
import { addAppearance, drawSignatureAppearance } from './signature-appearance.ts'
import { drawSignatureSheets, signatureSlots } from './signature-sheet.ts'
import { leavesAllToBeSeen, placeStamp, type VisiblePlace } from './stamp/place-stamp.ts'

/**
 * The half of a PAdES signature that needs no key: one revision with a signature and an empty /Contents, and
 * the digest of all of it. It signs the empty field that the plan names, and else a new one, before which the
 * signature sheet is appended where the plan wants one. Nothing of the file itself is written again.
 *
 * @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf`; `stale-version` when the field of the plan
 *   is not there or is signed already
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ETSI EN 319 142-1 V1.2.1, 5.4; ISO 32000-2:2020, 7.5.6 and 12.8
 */
export function prepareIncrement(
  source: ByteSource,
  plan: SignaturePlan,
  fonts: SheetFonts,
): CheckedIncrement {
  const document = readDocument(source)
  mustBeSignable(document, plan.field)
  const { increment } = incrementFor(document, plan, fonts)
  const digests = digestOfPrepared(source, increment.bytes, increment.contents)
  return { ...increment, ...digests }
}

/**
 * Where the stamp of such a signature stands; undefined if it will be invisible.
 *
 * @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf`
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 */
export function stampBefore(
  document: PdfDocument,
  plan: SignaturePlan,
  fonts: SheetFonts,
): VisiblePlace | undefined {
  mustBeSignable(document, plan.field)
  return incrementFor(document, plan, fonts).stamp
}

type UndigestedIncrement = Omit<CheckedIncrement, 'digest' | 'baseDigest'>
type PlacedIncrement = { increment: UndigestedIncrement; stamp?: VisiblePlace | undefined }

/** A stamp that is not sure to leave everything to be seen would harm earlier signatures: the field is then invisible. */
function incrementFor(
  document: PdfDocument,
  plan: SignaturePlan,
  fonts: SheetFonts,
): PlacedIncrement {
  const update = incrementalUpdate(document)
  const style = { ...fonts, needs: document.once(archivalNeedsOf) }
  const { fieldName, stamped, signature } = plan.field
    ? signEmptyField(update, plan.field, plan, style)
    : signNewField(update, plan, style)
  const appended = update.finish()
  const { bytes, contents, byteRange } = fillByteRange(appended, signature)
  const isSafe = stamped === undefined || leavesAllToBeSeen(document, bytes, stamped.field)
  if (!isSafe) return incrementFor(document, withoutStamp(plan), fonts)
  const increment = { baseLength: appended.baseLength, bytes, contents, byteRange, fieldName }
  return { increment, stamp: stamped?.place }
}

function withoutStamp({ stamp: _, ...plan }: SignaturePlan): SignaturePlan {
  return plan
}

/** `stamped` is set if the field is visible on a page of the document. */
type SignedField = {
  fieldName: string
  signature: PdfRef
  stamped?: { field: PdfRef; place: VisiblePlace }
}

function signEmptyField(
  update: IncrementalUpdate,
  fieldName: string,
  plan: SignaturePlan,
  fonts: SheetStyle,
): SignedField {
  const field = emptyField(update.document, fieldName)
  const size = sizeOf(update.document, field.widgets[0])
  const known = fontsShownBy(update.document, field.widgets[0])
  const appearance = size && drawCaption(update, plan, size, { fonts, known })
  const entries = { ...signatureEntriesOf(plan), ...(appearance && { appearance }) }
  return { fieldName, ...fillSignatureField(update, field, entries) }
}

/** @throws {Problem} `stale-version`: the file is another one than the caller had before him */
function emptyField(document: PdfDocument, fieldName: string): FormField {
  const field = signatureFields(document).find(({ name }) => name === fieldName)
  if (!field) throw new Problem('stale-version', `no signature field ${fieldName}`)
  if (document.resolve(field.value) !== null)
    throw new Problem('stale-version', `${fieldName} is signed already`)
  return field
}

function signNewField(
  update: IncrementalUpdate,
  plan: SignaturePlan,
  fonts: SheetStyle,
): SignedField {
  const { document } = update
  const sheets = plan.sheet ? [addSheet(update, plan.sheet, fonts)] : sheetsOf(document)
  const slot = placeCaption(update, sheets, plan, fonts)
  const stamp = slot ? undefined : placeStamp(update, plan, fonts)
  const { fieldName, field, signature } = addSignatureField(update, {
    ...signatureEntriesOf(plan),
    ...(slot ?? stamp ?? { page: firstPage(document) }),
  })
  return { fieldName, signature, ...(stamp && { stamped: { field, place: stamp } }) }
}

const signatureEntriesOf = ({
  caption,
  contentsSize,
  at,
  reason,
}: SignaturePlan): SignatureEntries => ({
  contentsSize,
  subFilter: 'ETSI.CAdES.detached',
  signingTime: at,
  reason,
  ...(caption && { signerName: caption.name }),
})

function addSheet(update: IncrementalUpdate, facts: SheetFacts, fonts: SheetStyle): PdfRef {
  const size = sheetSizeFor(update.document)
  const paper = drawSignatureSheets(facts, [], { size, fonts })
  const page = addPage(update, paper.page, placeResources(update, paper))
  appendSheet(update, page)
  sayColours(update)
  return page
}

/**
 * The next free slot of the sheets with what it shows; none when all are taken, or when there is nothing to
 * show: the signature is invisible.
 */
function placeCaption(
  update: IncrementalUpdate,
  sheets: readonly PdfRef[],
  plan: SignaturePlan,
  fonts: SheetStyle,
): FieldPlace | undefined {
  if (sheets.length === 0 || !plan.caption) return undefined
  const [free] = sheets.flatMap((page) => {
    const slot = slotsOn(update, page)[takenSlots(update.document, page)]
    return slot ? [{ page, slot }] : []
  })
  const known = free && fontsShownBy(update.document, free.page)
  const appearance = free && drawCaption(update, plan, free.slot, { fonts, known })
  if (!free || !appearance) return undefined
  return { page: free.page, visible: { rectangle: cornersOf(free.slot), appearance } }
}

/** A sheet inherits no size, and may be new in this update. */
function slotsOn({ document, resolve }: IncrementalUpdate, sheet: PdfRef): readonly Rectangle[] {
  const dictionary = resolve(sheet)
  const inherited = entriesOf(dictionary)
  const size = isDictionary(dictionary) && shownSizeOf(document, { dictionary, inherited })
  return size ? signatureSlots(size) : []
}

function drawCaption(
  update: IncrementalUpdate,
  { caption, at, zone }: SignaturePlan,
  size: { width: number; height: number },
  { fonts, known }: { fonts: SheetStyle; known: KnownFonts | undefined },
): PdfRef | undefined {
  if (!caption) return undefined
  return addAppearance(update, drawSignatureAppearance(caption, at, zone, size, fonts), known)
}

function takenSlots(document: PdfDocument, page: PdfRef): number {
  const isOnSheet = (widget: PdfRef) => {
    const dictionary = document.resolve(widget)
    const place = isDictionary(dictionary) ? dictionary.entries.get('P') : undefined
    return isRef(place) && place.number === page.number && sizeOf(document, widget) !== undefined
  }
  return signatureFields(document).filter((field) => field.widgets.some(isOnSheet)).length
}

/** Of its /Rect, in points; undefined for a widget without an area, which shows nothing. */
function sizeOf(
  document: PdfDocument,
  widget: PdfRef | undefined,
): { width: number; height: number } | undefined {
  const dictionary = document.resolve(widget)
  const box = isDictionary(dictionary) ? document.resolve(dictionary.entries.get('Rect')) : null
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = isArray(box) ? box.items.map(Number) : []
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)]
  return width > 0 && height > 0 ? { width, height } : undefined
}

function firstPage(document: PdfDocument): PdfRef {
  const ref = pagesOf(document)[0]?.ref
  if (!ref) throw new Problem('damaged-pdf', 'no page to which a field could belong')
  return ref
}
