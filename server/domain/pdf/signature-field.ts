import type { Instant } from '#server/domain/time.ts'
import { encodeDate } from './date-string.ts'
import { PdfError } from './error.ts'
import type { IncrementalUpdate } from './incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  isArray,
  isDictionary,
  isRef,
  isString,
  name,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
  withEntries,
} from './object.ts'
import { byteRangePlaceholder, contentsPlaceholder } from './signature-placeholder.ts'
import { decodeText, encodeText } from './text-string.ts'

/** Left, bottom, right, top, in points. */
export type Rectangle = readonly [number, number, number, number]

export type SignatureFieldPlan = {
  /** The page that carries the widget; it must be part of the document or of the update. */
  readonly page: PdfRef
  /** Without one the field is invisible. */
  readonly visible?: { readonly rectangle: Rectangle; readonly appearance: PdfRef }
  /** Bytes kept free in /Contents for the CMS. */
  readonly contentsSize: number
  readonly subFilter: 'ETSI.CAdES.detached' | 'ETSI.RFC3161'
  /** /M; a document timestamp carries none. */
  readonly signingTime?: Instant
  readonly signerName?: string
  readonly reason?: string
  readonly location?: string
}

export type AddedSignatureField = {
  /** `Firma1`, `Firma2` … */
  readonly fieldName: string
  readonly field: PdfRef
  readonly signature: PdfRef
}

/** Print and Locked. @see ISO 32000-2:2020, table 167 */
const WIDGET_FLAGS = 132
/** SignaturesExist and AppendOnly. @see ISO 32000-2:2020, table 225 */
const SIGNATURE_FLAGS = 3

/**
 * Adds a signature field with its widget and a signature dictionary that waits for its /Contents.
 *
 * @throws {PdfError} `damaged` when the page is none
 * @see ISO 32000-2:2020, 12.7.5.5 and 12.8.1; ETSI EN 319 142-1, clause 5
 */
export function addSignatureField(
  update: IncrementalUpdate,
  plan: SignatureFieldPlan,
): AddedSignatureField {
  const fieldName = freeFieldName(update)
  const signature = update.add(signatureDictionary(plan))
  const field = update.add(fieldWithWidget(plan, fieldName, signature))
  addToPage(update, plan.page, field)
  addToForm(update, field)
  return { fieldName, field, signature }
}

function signatureDictionary(plan: SignatureFieldPlan): PdfDictionary {
  const text = (value: string | undefined) =>
    value === undefined ? undefined : byteString(encodeText(value))
  const isTimestamp = plan.subFilter === 'ETSI.RFC3161'
  return withEntries(
    dictionary({
      Type: name(isTimestamp ? 'DocTimeStamp' : 'Sig'),
      Filter: name('Adobe.PPKLite'),
      SubFilter: name(plan.subFilter),
      ByteRange: byteRangePlaceholder(),
      Contents: contentsPlaceholder(plan.contentsSize),
    }),
    {
      M: plan.signingTime === undefined ? undefined : byteString(encodeDate(plan.signingTime)),
      Name: text(plan.signerName),
      Reason: text(plan.reason),
      Location: text(plan.location),
    },
  )
}

function fieldWithWidget(
  plan: SignatureFieldPlan,
  fieldName: string,
  signature: PdfRef,
): PdfDictionary {
  const { visible } = plan
  return withEntries(
    dictionary({
      Type: name('Annot'),
      Subtype: name('Widget'),
      FT: name('Sig'),
      T: byteString(encodeText(fieldName)),
      V: signature,
      P: plan.page,
      F: WIDGET_FLAGS,
      Rect: array(visible?.rectangle ?? [0, 0, 0, 0]),
    }),
    { AP: visible && dictionary({ N: visible.appearance }) },
  )
}

/** The first of `Firma1`, `Firma2` … that no field of the form has. */
function freeFieldName(update: IncrementalUpdate): string {
  const form = update.resolve(update.catalog().entries.get('AcroForm'))
  const fields = isDictionary(form) ? update.resolve(form.entries.get('Fields')) : null
  const taken = new Set(
    (isArray(fields) ? fields.items : []).map((item) => {
      const field = update.resolve(item)
      const partial = isDictionary(field) ? update.resolve(field.entries.get('T')) : null
      return isString(partial) ? decodeText(partial.bytes) : ''
    }),
  )
  for (let number = 1; ; number++) if (!taken.has(`Firma${number}`)) return `Firma${number}`
}

function addToPage(update: IncrementalUpdate, page: PdfRef, widget: PdfRef): void {
  const dictionary = update.resolve(page)
  if (!isDictionary(dictionary)) throw new PdfError('damaged', `object ${page.number} is no page`)
  extendArray(update, dictionary.entries.get('Annots'), widget, (annotations) =>
    update.set(page, withEntries(dictionary, { Annots: annotations })),
  )
}

function addToForm(update: IncrementalUpdate, field: PdfRef): void {
  const catalog = update.catalog()
  const formValue = catalog.entries.get('AcroForm')
  const resolved = update.resolve(formValue)
  const form = isDictionary(resolved) ? resolved : dictionary({})
  let fields = form.entries.get('Fields')
  extendArray(update, fields, field, (longer) => {
    fields = longer
  })
  const flags = update.resolve(form.entries.get('SigFlags'))
  const changed = withEntries(form, {
    Fields: fields ?? null,
    SigFlags: (typeof flags === 'number' ? flags : 0) | SIGNATURE_FLAGS,
  })
  if (isRef(formValue) && isDictionary(resolved)) update.set(formValue, changed)
  else update.setCatalog(withEntries(catalog, { AcroForm: changed }))
}

/** Appends to an array: in its own object when it has one, else through `replace`. */
function extendArray(
  update: IncrementalUpdate,
  current: PdfObject | undefined,
  item: PdfRef,
  replace: (longer: PdfObject) => void,
): void {
  const value = update.resolve(current)
  const longer = array([...(isArray(value) ? value.items : []), item])
  if (isRef(current) && isArray(value)) update.set(current, longer)
  else replace(longer)
}
