import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isNamed,
  isRef,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
} from '#server/domain/pdf/object.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import type { Comparison } from './comparison.ts'

/** A signature field that was not there when the document was signed. */
export type NewSignatureField = {
  readonly number: number
  readonly name: string
  readonly kind: 'signature' | 'document-timestamp' | 'empty'
  readonly isVisible: boolean
  /** Counts from 1: the page that its widget names. */
  readonly page?: number
  readonly widgets: readonly number[]
}

/** What a signature field and its widget may say. Actions (/A, /AA) and layers (/OC) are not among it. */
const FIELD_KEYS = new Set(
  (
    'Type Subtype FT T TU TM V DV P Rect F Ff AP AS MK DA Q Lock SV Parent Kids NM M BS Border H DR ' +
    'StructParent Contents'
  ).split(' '),
)

/** The field behind a reference, if it is a signature field that only signs; else undefined. */
export function newSignatureField(
  { after, pageNumber }: Comparison,
  ref: PdfObject,
): NewSignatureField | undefined {
  const field = after.resolve(ref)
  if (
    !isRef(ref) ||
    !isDictionary(field) ||
    !isNamed(after.resolve(field.entries.get('FT')), 'Sig')
  )
    return undefined
  const kids = after.resolve(field.entries.get('Kids'))
  const widgetRefs = isArray(kids) ? kids.items.filter(isRef) : [ref]
  const widgets = widgetRefs.map((widget) => after.resolve(widget)).filter(isDictionary)
  if (![field, ...widgets].every(hasOnlyFieldKeys)) return undefined
  if (!widgets.every((widget) => isNamed(after.resolve(widget.entries.get('Subtype')), 'Widget')))
    return undefined
  const kind = kindOf(after, field)
  if (!kind) return undefined
  const pageRef = widgets[0]?.entries.get('P')
  const page = isRef(pageRef) ? pageNumber(pageRef.number) : undefined
  return {
    number: ref.number,
    ...(page === undefined ? {} : { page }),
    name: nameOf(after, field),
    kind,
    isVisible: widgets.some((widget) => isVisible(after, widget)),
    widgets: widgetRefs.map((widget: PdfRef) => widget.number),
  }
}

const hasOnlyFieldKeys = (dictionary: PdfDictionary) =>
  [...dictionary.entries.keys()].every((key) => FIELD_KEYS.has(key))

function nameOf(document: PdfDocument, field: PdfDictionary): string {
  const text = document.resolve(field.entries.get('T'))
  return isString(text) ? decodeText(text.bytes) : ''
}

/** Undefined when the value of the field is something else than a signature. */
export function kindOf(
  document: PdfDocument,
  field: PdfDictionary,
): NewSignatureField['kind'] | undefined {
  const value = document.resolve(field.entries.get('V'))
  if (value === null) return 'empty'
  const entries = entriesOf(value)
  const subFilter = document.resolve(entries.get('SubFilter'))
  if (!entries.has('ByteRange') || !entries.has('Contents')) return undefined
  return isNamed(subFilter, 'ETSI.RFC3161') ? 'document-timestamp' : 'signature'
}

const HIDDEN_FLAGS = 0b100010

/** @see ISO 32000-2:2020, 12.5.3: a widget without an area, hidden or without an appearance shows nothing */
function isVisible(document: PdfDocument, widget: PdfDictionary): boolean {
  const rectangle = document.resolve(widget.entries.get('Rect'))
  const [left, bottom, right, top] = isArray(rectangle) ? rectangle.items.map(document.resolve) : []
  const flags = document.resolve(widget.entries.get('F'))
  const isHidden = typeof flags === 'number' && (flags & HIDDEN_FLAGS) !== 0
  const hasArea = left !== right && bottom !== top
  const appearance = document.resolve(widget.entries.get('AP'))
  return hasArea && !isHidden && entriesOf(appearance).size > 0
}
