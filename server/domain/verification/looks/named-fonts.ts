import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import {
  entriesOf,
  isName,
  isRef,
  type PdfName,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'

/** The font that an instruction of an appearance names: its own, else that of the form. */
export function fontNamed(
  document: PdfDocument,
  resources: ReadonlyMap<string, PdfObject>,
  name: PdfObject | undefined,
): PdfObject | undefined {
  if (!isName(name)) return undefined
  const own = fontIn(document, resources, name.value)
  if (own !== undefined) return own
  const shared = entriesOf(document.resolve(acroFormOf(document)?.entries.get('DR')))
  return fontIn(document, shared, name.value)
}

/**
 * Whether all readers find the same font by a name that the resources of a look do not have: some look in the form, some
 * in the page. For `once`.
 */
export function namesAlike(document: PdfDocument): (name: PdfObject | undefined) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    if (!isName(name)) return false
    const isAlike = known.get(name.value) ?? isNamedAlike(document, name)
    known.set(name.value, isAlike)
    return isAlike
  }
}

function isNamedAlike(document: PdfDocument, name: PdfName): boolean {
  const shared = fontNamed(document, NONE, name)
  return document.once(pagesOf).every(({ inherited }) => {
    const resources = entriesOf(document.resolve(inherited.get('Resources')))
    const font = fontIn(document, resources, name.value)
    return document.resolve(font) === null || isSameFont(document, font, shared)
  })
}

/** An object that was read twice is two values. */
const isSameFont = (document: PdfDocument, one?: PdfObject, other?: PdfObject) =>
  isRef(one) && isRef(other)
    ? one.number === other.number
    : document.resolve(one) === document.resolve(other)

const NONE: ReadonlyMap<string, PdfObject> = new Map()

const fontIn = (document: PdfDocument, resources: ReadonlyMap<string, PdfObject>, name: string) =>
  entriesOf(document.resolve(resources.get('Font'))).get(name)
