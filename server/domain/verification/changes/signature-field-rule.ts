import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  entriesOf,
  isArray,
  isDictionary,
  isNamed,
  isRef,
  isStream,
  isString,
  type PdfDictionary,
  type PdfObject,
  type PdfRef,
} from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'
import type { Comparison } from './comparison.ts'
import { hasColours } from './painted-look.ts'
import { numberOf, pageNumbers } from './places.ts'
import { type EdgeFilter, linkedBesides, whatReadersFollow } from './reach.ts'

/** A signature field that was not there when the document was signed. */
export type NewSignatureField = {
  readonly number: number
  readonly name: string
  readonly kind: 'signature' | 'document-timestamp' | 'empty'
  readonly isVisible: boolean
  readonly isHidden: boolean
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
  comparison: Comparison,
  ref: PdfObject,
): NewSignatureField | undefined {
  const { after, pageNumber } = comparison
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
  const kind = kindOf(comparison, field)
  if (!kind) return undefined
  const pageRef = widgets[0]?.entries.get('P')
  const page = isRef(pageRef) ? pageNumber(pageRef.number) : undefined
  return {
    number: ref.number,
    ...(page === undefined ? {} : { page }),
    name: nameOf(after, field),
    kind,
    isVisible: widgets.some((widget) => isVisible(after, widget)),
    isHidden: widgets.every((widget) => isHidden(after, widget.entries)),
    widgets: widgetRefs.map((widget: PdfRef) => widget.number),
  }
}

/**
 * The new signature behind a widget that only its page leads to: some programs forget the list of the form. It is
 * judged like any other signature, and found to belong to no field.
 */
export function unlistedSignature(
  comparison: Comparison,
  item: PdfObject,
): NewSignatureField | undefined {
  const { after, reachBefore } = comparison
  const field = newSignatureField(comparison, item)
  const entries = entriesOf(after.resolve(item))
  const value = entries.get('V')
  const isAlone = !entries.has('Kids') && !entries.has('Parent') && isRef(value)
  // A usage rights signature is not a signature of a person and is not judged.
  const isJudged = !entriesOf(after.resolve(value)).has('Reference')
  const isNew =
    field && !reachBefore.roles.has(field.number) && isOnlyAnnotation(comparison, field.number)
  return isNew && field.kind === 'signature' && isAlone && isJudged ? field : undefined
}

/** Nothing but the lists of annotations of pages leads to it. */
const isOnlyAnnotation = ({ before, after, spend }: Comparison, number: number): boolean =>
  [before, after].every((document) => {
    spend(document.objectNumbers.length)
    const isPlace = annotationsOfPages(document)
    return !linkedBesides(document, whatReadersFollow, isPlace).has(number)
  })

function annotationsOfPages(document: PdfDocument): EdgeFilter {
  const lists = pagesOf(document).map(({ dictionary }) =>
    numberOf(dictionary.entries.get('Annots')),
  )
  const [pages, arrays] = [pageNumbers(document), new Set(lists)]
  return (owner, path) =>
    (path === 'Annots' && pages.has(owner)) || (path === '' && arrays.has(owner))
}

const hasOnlyFieldKeys = (dictionary: PdfDictionary) =>
  [...dictionary.entries.keys()].every((key) => FIELD_KEYS.has(key))

function nameOf(document: PdfDocument, field: PdfDictionary): string {
  const text = document.resolve(field.entries.get('T'))
  return isString(text) ? decodeText(text.bytes) : ''
}

/**
 * Undefined when the value of the field is something else than a signature, or one that was there before: a
 * field that borrows it signs nothing and could show anything.
 */
export function kindOf(
  { after, reachBefore }: Comparison,
  field: PdfDictionary,
): NewSignatureField['kind'] | undefined {
  const written = field.entries.get('V')
  const value = after.resolve(written)
  if (value === null) return 'empty'
  if (isRef(written) && reachBefore.roles.has(written.number)) return undefined
  const entries = entriesOf(value)
  const subFilter = after.resolve(entries.get('SubFilter'))
  if (!entries.has('ByteRange') || !entries.has('Contents')) return undefined
  return isNamed(subFilter, 'ETSI.RFC3161') ? 'document-timestamp' : 'signature'
}

const [HIDDEN, PRINT, NO_VIEW, TOGGLE_NO_VIEW] = [1 << 1, 1 << 2, 1 << 5, 1 << 8] as const

/**
 * A widget without an area, hidden both on screen and on paper, or without an appearance, shows nothing.
 *
 * @see ISO 32000-2:2020, 12.5.3
 */
export function isVisible(document: PdfDocument, widget: PdfDictionary): boolean {
  return (
    hasArea(document, widget) && !isHidden(document, widget.entries) && hasLook(document, widget)
  )
}

export function isHidden(document: PdfDocument, widget: ReadonlyMap<string, PdfObject>): boolean {
  const written = document.resolve(widget.get('F'))
  const flags = typeof written === 'number' ? written : 0
  const isOffScreen = (flags & NO_VIEW) !== 0 && (flags & (PRINT | TOGGLE_NO_VIEW)) === 0
  return (flags & HIDDEN) !== 0 || isOffScreen
}

export function hasArea(document: PdfDocument, widget: PdfDictionary): boolean {
  const rectangle = document.resolve(widget.entries.get('Rect'))
  const [left, bottom, right, top] = isArray(rectangle) ? rectangle.items.map(document.resolve) : []
  return left !== right && bottom !== top
}

function hasLook(document: PdfDocument, widget: PdfDictionary): boolean {
  const appearances = entriesOf(document.resolve(widget.entries.get('AP')))
  const looks = [...appearances.values()].map(document.resolve)
  // Programs give a field that waits for its signature an appearance that draws nothing.
  if (looks.some((look) => !isStream(look) || look.data.end > look.data.start)) return true
  return hasColours(document, widget.entries)
}
