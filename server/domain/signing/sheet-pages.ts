import { appendPage } from '#server/domain/pdf/append-page.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import { isDictionary, type PdfRef, withEntries } from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'

/** Marks our sheets, where later signers find their slots. A second-class name, ISO 32000-2 annex E. */
const SHEET_MARK = 'RBRC_SignatureSheet'

/** Appends a page of the update as a signature sheet. */
export function appendSheet(update: IncrementalUpdate, page: PdfRef): void {
  const dictionary = update.resolve(page)
  if (isDictionary(dictionary)) update.set(page, withEntries(dictionary, { [SHEET_MARK]: 1 }))
  appendPage(update, page)
}

/** The signature sheets of the document, in their order. */
export function sheetsOf(document: PdfDocument): PdfRef[] {
  return pagesOf(document).flatMap(({ ref, dictionary }) =>
    ref && dictionary.entries.has(SHEET_MARK) ? [ref] : [],
  )
}
