import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, type PdfRef } from '#server/domain/pdf/object.ts'
import type { KnownFonts } from './paper.ts'

/** The fonts of a page, or of what a widget shows: the sheet brought them along. */
export function fontsShownBy(document: PdfDocument, shown: PdfRef | undefined): KnownFonts {
  const entries = entriesOf(document.resolve(shown))
  const appearance = entriesOf(document.resolve(entries.get('AP'))).get('N')
  const drawn = appearance ? entriesOf(document.resolve(appearance)) : entries
  const resources = entriesOf(document.resolve(drawn.get('Resources')))
  return { document, fonts: entriesOf(document.resolve(resources.get('Font'))) }
}
