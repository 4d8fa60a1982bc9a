import { createHash } from 'node:crypto'
import { type ByteSource, memorySource, passChunks, type Span } from '../bytes.ts'
import { appendPage } from '../pdf/append-page.ts'
import { type PdfDocument, readDocument } from '../pdf/document.ts'
import { importAsFormXObject, importPage } from '../pdf/import-page.ts'
import { type IncrementalUpdate, incrementalUpdate } from '../pdf/incremental-update.ts'
import { isArray, isDictionary, isRef, type PdfRef, withEntries } from '../pdf/object.ts'
import { pagesOf } from '../pdf/pages.ts'
import { signatureFields } from '../pdf/signature-dictionaries.ts'
import { addSignatureField, type SignatureFieldPlan } from '../pdf/signature-field.ts'
import { certificationLevel } from '../pdf/signature-permissions.ts'
import { fillByteRange } from '../pdf/signature-placeholder.ts'
import { Problem } from '../problem.ts'
import type { Rectangle, SheetFonts } from './paper.ts'
import type { PreparedIncrement, SheetFacts, SignaturePlan } from './prepare.ts'

/** Marks the page of ours on which later signers find their slots. A second-class name, ISO 32000-2 annex E. */
const SHEET_MARK = 'RBRC_SignatureSheet'

/**
 * The half of a PAdES signature that needs no key: one revision with the signature sheet where the plan
 * wants one, a signature field and an empty /Contents, and the digest of all of it. Nothing of the file
 * itself is written again.
 *
 * @throws {Problem} `signing-forbidden-by-document`, `damaged-pdf`
 * @throws {PdfError} `encrypted`, `damaged`, `too-complex`
 * @see ETSI EN 319 142-1 V1.2.1, 5.4; ISO 32000-2:2020, 7.5.6 and 12.8
 */
export async function prepareSignature(
  source: ByteSource,
  plan: SignaturePlan,
  fonts: SheetFonts,
): Promise<PreparedIncrement> {
  const document = readDocument(source)
  mustAllowSigning(document)
  const update = incrementalUpdate(document)
  const sheet = plan.sheet ? await addSheet(update, plan.sheet, fonts) : findSheet(document)
  const place = sheet && plan.caption ? await placeCaption(update, sheet, plan, fonts) : undefined
  const { fieldName, signature } = addSignatureField(update, {
    page: place?.page ?? firstPage(document),
    contentsSize: plan.contentsSize,
    subFilter: 'ETSI.CAdES.detached',
    signingTime: plan.at,
    reason: plan.reason,
    ...(plan.caption && { signerName: plan.caption.name }),
    ...(place && { visible: place.visible }),
  })
  const appended = update.finish()
  const { bytes, contents, byteRange } = fillByteRange(appended, signature)
  const { baseLength } = appended
  const digest = digestOf(source, bytes, contents)
  return { baseLength, bytes, contents, byteRange, digest, fieldName }
}

/** Drawing takes libraries that are slow to load; a signature without a sheet does not need them. */
async function drawing() {
  const [appearance, sheet] = await Promise.all([
    import('./signature-appearance.ts'),
    import('./signature-sheet.ts'),
  ])
  return { ...appearance, ...sheet }
}

function mustAllowSigning(document: PdfDocument): void {
  if (certificationLevel(document) === 1)
    throw new Problem('signing-forbidden-by-document', 'certified: no changes allowed')
  // Its cross-reference is of no use to whoever reads what we would append to it.
  if (document.isRebuilt) throw new Problem('damaged-pdf', 'no cross-reference to append to')
}

async function addSheet(
  update: IncrementalUpdate,
  facts: SheetFacts,
  fonts: SheetFonts,
): Promise<PdfRef> {
  const { renderSignatureSheet } = await drawing()
  const drawn = readDocument(memorySource(await renderSignatureSheet(facts, fonts)))
  const page = importPage(update, drawn, 0)
  const dictionary = update.resolve(page)
  if (isDictionary(dictionary)) update.set(page, withEntries(dictionary, { [SHEET_MARK]: 1 }))
  appendPage(update, page)
  return page
}

function findSheet(document: PdfDocument): PdfRef | undefined {
  return pagesOf(document).find((page) => page.dictionary.entries.has(SHEET_MARK))?.ref
}

/** The next free slot of the sheet with what it shows; none when all are taken: the signature is invisible. */
async function placeCaption(
  update: IncrementalUpdate,
  page: PdfRef,
  { caption, at, zone }: SignaturePlan,
  fonts: SheetFonts,
): Promise<{ page: PdfRef; visible: NonNullable<SignatureFieldPlan['visible']> } | undefined> {
  const { renderSignatureAppearance, SIGNATURE_SLOTS } = await drawing()
  const slot = SIGNATURE_SLOTS[takenSlots(update.document, page)]
  if (!slot || !caption) return undefined
  const drawn = await renderSignatureAppearance(caption, at, zone, slot, fonts)
  const appearance = importAsFormXObject(update, readDocument(memorySource(drawn)), 0)
  return { page, visible: { rectangle: cornersOf(slot), appearance } }
}

function takenSlots(document: PdfDocument, page: PdfRef): number {
  const isOnSheet = (widget: PdfRef) => {
    const dictionary = document.resolve(widget)
    const place = isDictionary(dictionary) ? dictionary.entries.get('P') : undefined
    return isRef(place) && place.number === page.number && hasArea(document, widget)
  }
  return signatureFields(document).filter((field) => field.widgets.some(isOnSheet)).length
}

function hasArea(document: PdfDocument, widget: PdfRef): boolean {
  const dictionary = document.resolve(widget)
  const box = isDictionary(dictionary) ? document.resolve(dictionary.entries.get('Rect')) : null
  const [left = 0, , right = 0] = isArray(box) ? box.items.map(Number) : []
  return right - left > 0
}

const cornersOf = ({ x, y, width, height }: Rectangle) => [x, y, x + width, y + height] as const

function firstPage(document: PdfDocument): PdfRef {
  const ref = pagesOf(document)[0]?.ref
  if (!ref) throw new Problem('damaged-pdf', 'no page to which a field could belong')
  return ref
}

/** Over the file and what of the increment does not belong to /Contents. */
function digestOf(base: ByteSource, increment: Uint8Array, contents: Span): Uint8Array {
  const hash = createHash('sha256')
  passChunks(base, { start: 0, end: base.length }, (chunk) => hash.update(chunk))
  hash.update(increment.subarray(0, contents.start - base.length))
  hash.update(increment.subarray(contents.end - base.length))
  return new Uint8Array(hash.digest())
}
