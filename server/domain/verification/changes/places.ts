import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isRef, type PdfObject } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'

/** The objects that are pages. */
export const pageNumbers = (document: PdfDocument): ReadonlySet<number> =>
  new Set(pagesOf(document).flatMap(({ ref }) => (ref ? [ref.number] : [])))

/** The object of the catalog; -1 when it is none. */
export const catalogNumberIn = (document: PdfDocument): number =>
  numberOf(document.trailer.entries.get('Root'))

/** The number of a reference; -1 for anything else. */
export const numberOf = (value: PdfObject | undefined): number => (isRef(value) ? value.number : -1)
