import type { Instant } from '#server/domain/time.ts'
import { archivalNeedsOf } from './archival/archival-needs.ts'
import { addForm, createCanvas } from './canvas.ts'
import { encodeDate } from './date-string.ts'
import type { PdfDocument } from './document.ts'
import { PdfError } from './error.ts'
import type { FormField } from './form-fields.ts'
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
type Rectangle = readonly [number, number, number, number]

/** What a signature dictionary says besides the signature itself. */
export type SignatureEntries = {
  /** Bytes kept free in /Contents for the CMS. */
  readonly contentsSize: number
  readonly subFilter: 'ETSI.CAdES.detached' | 'ETSI.RFC3161'
  /** /M; a document timestamp carries none. */
  readonly signingTime?: Instant
  readonly signerName?: string
  readonly reason?: string
  readonly location?: string
}

/** Where a field stands, and what it shows there. */
export type FieldPlace = {
  /** The page that carries the widget; it must be part of the document or of the update. */
  readonly page: PdfRef
  /** Without one the field is invisible. */
  readonly visible?: { readonly rectangle: Rectangle; readonly appearance: PdfRef }
}

export type SignatureFieldPlan = SignatureEntries & FieldPlace

/** @param fieldName as it is wanted: a form that has such a field already gets `<fieldName>-2` */
export type EmptyFieldPlan = FieldPlace & { readonly fieldName: string }

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
  const fieldName = freeName(update, (number) => `Firma${number}`)
  const signature = update.add(signatureDictionary(plan))
  const field = addField(update, plan, fieldName, signature)
  return { fieldName, field, signature }
}

/**
 * Adds a field that waits for its signature; returns its name.
 *
 * @throws {PdfError} `damaged` when the page is none
 * @see ISO 32000-2:2020, 12.7.5.5
 */
export function addEmptySignatureField(update: IncrementalUpdate, plan: EmptyFieldPlan): string {
  const { fieldName: wanted } = plan
  const fieldName = freeName(update, (number) => (number === 1 ? wanted : `${wanted}-${number}`))
  addField(update, plan, fieldName)
  return fieldName
}

/**
 * Puts a signature dictionary that waits for its /Contents into a field of the document that is empty. Of
 * the page itself nothing is written.
 *
 * @param appearance in place of what its widgets show
 * @throws {PdfError} `damaged` when the field is no object of its own
 */
export function fillSignatureField(
  update: IncrementalUpdate,
  field: FormField,
  plan: SignatureEntries & { readonly appearance?: PdfRef },
): Pick<AddedSignatureField, 'signature'> {
  if (!field.ref) throw new PdfError('damaged', `${field.name} is no object of its own`)
  const signature = update.add(signatureDictionary(plan))
  addEntries(update, field.ref, { V: signature })
  const { appearance } = plan
  if (appearance)
    for (const widget of field.widgets)
      addEntries(update, widget, { AP: dictionary({ N: appearance }) })
  raiseSignatureFlags(update)
  return { signature }
}

/** What `addSignatureField` would call the next field of the document. */
export const nextFieldName = ({ resolve, catalog }: PdfDocument): string =>
  freeName({ resolve, catalog: () => catalog }, (number) => `Firma${number}`)

function addField(
  update: IncrementalUpdate,
  place: FieldPlace,
  fieldName: string,
  signature?: PdfRef,
): PdfRef {
  const field = update.add(fieldWithWidget(place, fieldName, signature, lookOf(update, place)))
  addToPage(update, place.page, field)
  addToForm(update, field)
  return field
}

function addEntries(
  update: IncrementalUpdate,
  ref: PdfRef,
  entries: Parameters<typeof withEntries>[1],
): void {
  const value = update.resolve(ref)
  if (!isDictionary(value)) throw new PdfError('damaged', `object ${ref.number} is no field`)
  update.set(ref, withEntries(value, entries))
}

function signatureDictionary(plan: SignatureEntries): PdfDictionary {
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

/** PDF/A-1 wants one also for a field without an area. @see ISO 19005-1:2005, 6.5.3 and 6.9 */
function lookOf(update: IncrementalUpdate, { visible }: FieldPlace): PdfRef | undefined {
  if (visible) return visible.appearance
  const isWanted = update.document.once(archivalNeedsOf)?.isFirstPart === true
  return isWanted
    ? addForm(update, createCanvas({ width: 0, height: 0 }), { Font: {}, XObject: {} })
    : undefined
}

function fieldWithWidget(
  { page, visible }: FieldPlace,
  fieldName: string,
  signature: PdfRef | undefined,
  look: PdfRef | undefined,
): PdfDictionary {
  return withEntries(
    dictionary({
      Type: name('Annot'),
      Subtype: name('Widget'),
      FT: name('Sig'),
      T: byteString(encodeText(fieldName)),
      P: page,
      F: WIDGET_FLAGS,
      Rect: array(visible?.rectangle ?? [0, 0, 0, 0]),
    }),
    { V: signature, AP: look && dictionary({ N: look }) },
  )
}

/** The first name, counted from 1, that no field of the form has. */
function freeName(
  update: Pick<IncrementalUpdate, 'resolve' | 'catalog'>,
  nameOf: (number: number) => string,
): string {
  const form = update.resolve(update.catalog().entries.get('AcroForm'))
  const fields = isDictionary(form) ? update.resolve(form.entries.get('Fields')) : null
  const taken = new Set(
    (isArray(fields) ? fields.items : []).map((item) => {
      const field = update.resolve(item)
      const partial = isDictionary(field) ? update.resolve(field.entries.get('T')) : null
      return isString(partial) ? decodeText(partial.bytes) : ''
    }),
  )
  for (let number = 1; ; number++) if (!taken.has(nameOf(number))) return nameOf(number)
}

function addToPage(update: IncrementalUpdate, page: PdfRef, widget: PdfRef): void {
  const dictionary = update.resolve(page)
  if (!isDictionary(dictionary)) throw new PdfError('damaged', `object ${page.number} is no page`)
  extendArray(update, dictionary.entries.get('Annots'), widget, (annotations) =>
    update.set(page, withEntries(dictionary, { Annots: annotations })),
  )
}

function addToForm(update: IncrementalUpdate, field: PdfRef): void {
  const form = formOf(update)
  let fields = form.entries.get('Fields')
  extendArray(update, fields, field, (longer) => {
    fields = longer
  })
  setForm(
    update,
    withEntries(form, {
      Fields: fields ?? null,
      SigFlags: signatureFlags(update, form) | SIGNATURE_FLAGS,
    }),
  )
}

/** A form that says so already stays as it is. */
function raiseSignatureFlags(update: IncrementalUpdate): void {
  const form = formOf(update)
  const flags = signatureFlags(update, form)
  if ((flags & SIGNATURE_FLAGS) === SIGNATURE_FLAGS) return
  setForm(update, withEntries(form, { SigFlags: flags | SIGNATURE_FLAGS }))
}

function formOf(update: IncrementalUpdate): PdfDictionary {
  const form = update.resolve(update.catalog().entries.get('AcroForm'))
  return isDictionary(form) ? form : dictionary({})
}

function signatureFlags(update: IncrementalUpdate, form: PdfDictionary): number {
  const flags = update.resolve(form.entries.get('SigFlags'))
  return typeof flags === 'number' ? flags : 0
}

/**
 * Where it was: in its own object or in the catalog. A new one gets its own, because programs that sign behind us
 * forget to list their field in one that is written into the catalog.
 */
function setForm(update: IncrementalUpdate, form: PdfDictionary): void {
  const catalog = update.catalog()
  const current = catalog.entries.get('AcroForm')
  if (isRef(current) && isDictionary(update.resolve(current))) update.set(current, form)
  else {
    const AcroForm = isDictionary(current) ? form : update.add(form)
    update.setCatalog(withEntries(catalog, { AcroForm }))
  }
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
